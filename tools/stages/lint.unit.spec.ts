import { join } from 'node:path';
import { lintProjects, type LintChildren } from './lint.mjs';

const ROOT = join(__dirname, '..', '..');
const PARTS = ['apps/intent-api', 'libs/http', 'tools'];

interface Ended {
  readonly code?: number | null;
  readonly lines?: readonly string[];
}

/** Fakes of ESLint and Prettier that record their arguments. */
function tools({ eslint = {}, prettier = {} }: { eslint?: Ended; prettier?: Ended } = {}) {
  const given: (readonly string[])[] = [];
  const children: LintChildren = {
    run: (_label, args, { onLine }) => {
      const { code = 0, lines = [] } = args[0]?.includes('prettier') ? prettier : eslint;
      given.push(args.slice(1));
      for (const line of lines) onLine(line);
      return Promise.resolve({ code });
    },
  };
  return { children, given };
}

const failedOf = async (children: LintChildren, parts = PARTS) => {
  const { failed, byPart } = await lintProjects(children, parts);
  return { failed, parts: byPart && parts.filter((part) => byPart.get(part)?.failed !== 0) };
};

describe('the lint of several projects', () => {
  it('passes every project when nothing is to be corrected', async () => {
    const { children } = tools();

    expect(await lintProjects(children, PARTS)).toMatchObject({ passed: 3, failed: 0 });
    expect(await failedOf(children)).toEqual({ failed: 0, parts: [] });
  });

  it.each([
    ['ESLint', { eslint: { code: 1, lines: [join(ROOT, 'libs/http/package.json'), '  1:1  error'] } }, 'libs/http'],
    ['Prettier', { prettier: { code: 1, lines: ['[warn] apps/intent-api/README.md'] } }, 'apps/intent-api'],
    ['Prettier outside of all projects', { prettier: { code: 1, lines: ['[warn] docs/glossary.md'] } }, 'tools'],
  ])('fails only the project in which %s names a file', async (_, ends, part) => {
    expect(await failedOf(tools(ends).children)).toEqual({ failed: 1, parts: [part] });
  });

  it.each([
    ['ends with another code', { eslint: { code: 2, lines: [join(ROOT, 'libs/http/package.json')] } }],
    ['is killed', { prettier: { code: null } }],
    ['names no file', { eslint: { code: 1, lines: ['something is wrong'] } }],
    ['checks no boundaries', { eslint: { lines: ['No graph: the rule will be skipped'] } }],
  ])('passes no project when a tool %s', async (_, ends) => {
    expect(await failedOf(tools(ends).children)).toEqual({ failed: 1, parts: undefined });
  });

  it('checks the folders of these projects, and with `tools` all files outside of projects', async () => {
    const some = tools();
    await lintProjects(some.children, ['apps/intent-api', 'libs/http']);
    const rest = tools();
    await lintProjects(rest.children, ['tools', 'libs/http']);

    for (const args of some.given) expect(args.slice(-2)).toEqual(['apps/intent-api', 'libs/http']);
    const [eslint = [], prettier = []] = rest.given;
    expect(eslint.at(-1)).toBe('.');
    expect(eslint).toContain('apps/intent-api/**');
    expect(eslint).not.toContain('libs/http/**');
    expect(prettier).toEqual(expect.arrayContaining(['.', '!apps/intent-api/**']));
    expect(prettier).not.toContain('!libs/http/**');
  });
});
