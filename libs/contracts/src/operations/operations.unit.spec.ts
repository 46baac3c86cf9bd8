import { ERRORS, OPERATIONS } from '../index';

describe('OPERATIONS', () => {
  it('have unique ids and unique paths per method', () => {
    const ids = OPERATIONS.map(({ id }) => id);
    const addresses = OPERATIONS.map(({ method, path }) => `${method} ${path}`);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(addresses).size).toBe(addresses.length);
  });

  it.each(OPERATIONS.map((operation) => [operation.id, operation] as const))(
    '%s declares valid path parameters, statuses and error codes',
    (_, operation) => {
      const named = [...operation.path.matchAll(/:(\w+)/g)].map(([, name]) => name);
      expect(Object.keys(operation.params?.shape ?? {})).toEqual(named);
      expect(Object.keys(operation.answers).every((status) => /^[23]\d\d$/.test(status))).toBe(true);
      expect(operation.errors?.every((code) => code in ERRORS) ?? true).toBe(true);
      expect(operation.method === 'get' ? operation.body : undefined).toBeUndefined();
    },
  );
});
