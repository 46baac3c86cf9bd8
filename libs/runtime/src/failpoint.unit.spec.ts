import { buildSync } from 'esbuild';
import { join } from 'node:path';
import { failpoint } from './failpoint';

describe('failpoint', () => {
  afterEach(() => {
    delete process.env['FAILPOINT'];
  });

  it('does nothing unless the environment names it', () => {
    process.env['FAILPOINT'] = 'another:throw';

    expect(failpoint('outbox.published')).toBeUndefined();
  });

  it('throws at every execution, or only at the nth', () => {
    process.env['FAILPOINT'] = 'a:throw, b:throw:2';

    expect(() => failpoint('a')).toThrow('failpoint a');
    expect(() => failpoint('a')).toThrow('failpoint a');
    expect(failpoint('b')).toBeUndefined();
    expect(() => failpoint('b')).toThrow('failpoint b');
    expect(failpoint('b')).toBeUndefined();
  });

  it('hangs: its promise never settles', async () => {
    process.env['FAILPOINT'] = 'a:hang';

    const first = await Promise.race([Promise.resolve(failpoint('a')).then(() => 'went on'), Promise.resolve('hangs')]);

    expect(first).toBe('hangs');
  });

  it('refuses an unknown action', () => {
    process.env['FAILPOINT'] = 'a:explode';

    expect(() => failpoint('a')).toThrow('unknown action explode');
  });

  it.each([
    ['production bundles leave it out', 'false', false],
    ['bundles for fault tests keep it', 'true', true],
  ])('%s', (_name, value, present) => {
    const bundle = buildSync({
      stdin: {
        contents: "import { failpoint } from './failpoint'; failpoint('a');",
        resolveDir: join(__dirname),
        loader: 'ts',
      },
      bundle: true,
      write: false,
      platform: 'node',
      define: { __FAILPOINTS__: value },
    }).outputFiles[0]?.text;

    expect(bundle?.includes('FAILPOINT')).toBe(present);
  });
});
