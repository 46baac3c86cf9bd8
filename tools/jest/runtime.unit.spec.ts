import { escapeIdentifier } from 'pg';

describe('a spec', () => {
  const errorOf = (work: () => unknown): unknown => {
    try {
      return work();
    } catch (error) {
      return error;
    }
  };

  it('loads packages as services do, by the require of Node', () => {
    // Jest replaces the module of this name for those who import it.
    const { createRequire } = process.getBuiltinModule('node:module');
    const loaded = createRequire(__filename)('pg') as { escapeIdentifier: unknown };

    expect(loaded.escapeIdentifier).toBe(escapeIdentifier);
  });

  it('shares the classes of the language with packages', () => {
    expect(errorOf(() => escapeIdentifier(undefined as unknown as string))).toBeInstanceOf(Error);
  });
});
