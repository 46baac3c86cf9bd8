import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lintProjects, type LintChildren } from './lint.mjs';

const ROOT = join(__dirname, '..', '..');
const PARTS = ['apps/intent-api', 'libs/http', 'tools'];

interface Ended {
  readonly code?: number | null;
  readonly lines?: readonly string[];
}

type Tool = 'oxlint' | 'eslint' | 'prettier';

/** Fakes of the three tools that record their arguments. */
function tools(ends: Partial<Record<Tool, Ended>> = {}) {
  const given: (readonly string[])[] = [];
  const children: LintChildren = {
    run: (_label, args, { onLine }) => {
      const tool = (['oxlint', 'eslint', 'prettier'] as const).find((name) => args[0]?.includes(`/${name}/`));
      const { code = 0, lines = [] } = (tool && ends[tool]) ?? {};
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
    ['Oxlint', { oxlint: { code: 1, lines: ['libs/http/src/index.ts:1:20: wrong [Error]'] } }, 'libs/http'],
    ['ESLint', { eslint: { code: 1, lines: [join(ROOT, 'libs/http/package.json'), '  1:1  error'] } }, 'libs/http'],
    ['Prettier', { prettier: { code: 1, lines: ['[warn] apps/intent-api/README.md'] } }, 'apps/intent-api'],
    ['Prettier outside of all projects', { prettier: { code: 1, lines: ['[warn] docs/glossary.md'] } }, 'tools'],
  ])('fails only the project in which %s names a file', async (_, ends, part) => {
    expect(await failedOf(tools(ends).children)).toEqual({ failed: 1, parts: [part] });
  });

  it.each([
    ['cannot check types', { oxlint: { code: 1, lines: ['Failed to find tsgolint executable'] } }],
    [
      'cannot check types, and another names a file',
      { oxlint: { code: 1, lines: ['Failed'] }, prettier: { code: 1, lines: ['[warn] apps/intent-api/README.md'] } },
    ],
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
    const [oxlint = [], eslint = [], prettier = []] = rest.given;
    for (const args of [oxlint, eslint]) {
      expect(args.at(-1)).toBe('.');
      expect(args).toContain('apps/intent-api/**');
      expect(args).not.toContain('libs/http/**');
    }
    expect(prettier).toEqual(expect.arrayContaining(['.', '!apps/intent-api/**']));
    expect(prettier).not.toContain('!libs/http/**');
  });
});

describe('the rules that need types', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'lint-rules-'));
    writeFileSync(join(folder, 'tsconfig.json'), '{"compilerOptions":{"strict":true,"lib":["es2023"]}}');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([
    ['no-floating-promises', 'export async function ended() {}\nended();\n'],
    ['no-misused-promises', 'export const each = (list: string[]) => list.forEach(async () => Promise.resolve());\n'],
    ['no-unsafe-member-access', 'export const nameOf = (value: any): unknown => value.name;\n'],
    [
      'switch-exhaustiveness-check',
      "export function of(kind: 'a' | 'b') {\n  switch (kind) {\n    case 'a':\n  }\n}\n",
    ],
  ])('report a violation of %s', (rule, code) => {
    writeFileSync(join(folder, 'index.ts'), code);
    const oxlint = join(ROOT, 'node_modules', 'oxlint', 'bin', 'oxlint');
    const config = join(ROOT, '.oxlintrc.json');
    const { stdout, status } = spawnSync(process.execPath, [oxlint, '-c', config, '--format=unix', folder], {
      encoding: 'utf8',
    });

    expect(stdout).toContain(`typescript(${rule})`);
    expect(status).toBe(1);
  });
});
