import { escapeIdentifier } from 'pg';

describe('a spec', () => {
  const errorOf = (work: () => unknown): unknown => {
    try {
      return work();
    } catch (error) {
      return error;
    }
  };

  it('loads packages from the files that services load them from', () => {
    const error = errorOf(() => escapeIdentifier(undefined as unknown as string)) as Error;

    expect(error.stack).toContain('/node_modules/pg/lib/');
  });

  it('shares the classes of the language with packages', () => {
    expect(errorOf(() => escapeIdentifier(undefined as unknown as string))).toBeInstanceOf(Error);
  });
});
