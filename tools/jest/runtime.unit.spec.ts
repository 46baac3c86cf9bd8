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
    // Jest replaces `node:module` for specs, so this uses the require of the process.
    const { mainModule } = process as { mainModule?: { require: (name: string) => unknown } };
    const loaded = mainModule?.require('pg') as { escapeIdentifier: unknown };

    expect(loaded.escapeIdentifier).toBe(escapeIdentifier);
  });

  it('shares the classes of the language with packages', () => {
    expect(errorOf(() => escapeIdentifier(undefined as unknown as string))).toBeInstanceOf(Error);
  });
});
