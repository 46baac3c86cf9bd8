import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import {
  createSourceFile,
  forEachChild,
  isJsxText,
  isStringLiteralLike,
  isTemplateHead,
  isTemplateMiddleOrTemplateTail,
  type Node,
  ScriptTarget,
} from 'typescript';

const ROOT = join(__dirname, '..');
/** Applied migrations are frozen. Comments of contracts document published data, such as each value of a field. */
const SKIPPED = /node_modules|[/\\]dist|[/\\]migrations[/\\]|^libs\/contracts/;
const files = ['apps', 'libs', 'tools'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .filter((path) => /\.(tsx?|mjs|cjs)$/.test(path) && !SKIPPED.test(path)),
);

interface Comment {
  readonly line: number;
  readonly text: string;
}

/** Comments that begin a line; `//` comments on consecutive lines are one. */
function commentsOf(source: string): Comment[] {
  const comments: { line: number; text: string }[] = [];
  let open: 'block' | 'line' | undefined;
  for (const [index, line] of source.split('\n').entries()) {
    const text = line.trim();
    const begins = open !== 'block' && text.startsWith('/*');
    const isLine = open !== 'block' && text.startsWith('//');
    if (begins || (isLine && open !== 'line')) comments.push({ line: index + 1, text: '' });
    const comment = comments.at(-1);
    if (comment && (open === 'block' || begins || isLine)) {
      comment.text += `${text.replace(/\*\/.*$/, '').replace(/^(\/\*\*?|\*|\/\/)/, '')}\n`;
    }
    if (open === 'block' || begins) open = text.includes('*/') ? undefined : 'block';
    else open = isLine ? 'line' : undefined;
  }
  return comments;
}

/** A table or list: a line that begins with a name and continues after two spaces or a colon, or with a dash. */
const isTable = (text: string) =>
  text.split('\n').filter((line) => /^ *(-|\||[`\w./*-]+( {2,}|: ))/.test(line)).length > 1;
/** Without examples, which are quoted texts, and without meanings of values: `EXPIRED: its time is over.` */
const sentencesOf = (text: string) =>
  text
    .replaceAll(/"[^"]*"|`[^`]*`/g, 'x')
    .replace(/(Examples?|Not|Usage|Options?): .*$/s, '')
    .replaceAll(/(^|[.!?]\s+)[\w-]+: [^.!?]*(?=[.!?])/g, '$1')
    .match(/\w[.!?](?=\s|$)/g)?.length ?? 0;
const isTooLong = ({ text }: Comment) => !isTable(text) && sentencesOf(text) > 2;

/** Paraphrases of ordinary words, in comments, names of tests and texts of production code. */
const PARAPHRASES =
  /\b(whoever|anew|(be)?came of|came back as|of yours|all the same|in front of it|(is|are|was|were) told|somebody|what has become|nobody|once more|at once|of (its|their) own(?! \w)|on its own(?! \w)|afresh|(stands?|stood) (for|beside|behind|before|between|there)|by itself|by themselves)\b/i;
const namesOfTests = (source: string) =>
  [...source.matchAll(/^ *(?:it|test|describe)(?:\.\w+)?\(\s*(['"`])(.*?)\1/gm)].map(([, , name = '']) => name);

const isProduction = (path: string) =>
  /^tools|[/\\]src[/\\]/.test(path) && !/\.spec\.tsx?$|[/\\]migrations\.ts$|\.d\.ts$/.test(path);
/** String literals, parts of templates and texts of pages that have more than one word. */
function textsOf(path: string, source: string): string[] {
  const texts: string[] = [];
  const visit = (node: Node): void => {
    const isTemplatePart = isTemplateHead(node) || isTemplateMiddleOrTemplateTail(node);
    if (isStringLiteralLike(node) || isTemplatePart || isJsxText(node)) texts.push(node.text);
    forEachChild(node, visit);
  };
  visit(createSourceFile(path, source, ScriptTarget.Latest));
  return texts.filter((text) => /\S\s+\S/.test(text));
}
const isParaphrase = (text: string) => PARAPHRASES.test(text.replaceAll(/`[^`]*`/g, ''));

describe('a comment', () => {
  it('has at most two sentences, unless it is a table or an example', () => {
    const long = files.flatMap((path) =>
      commentsOf(readFileSync(join(ROOT, path), 'utf8'))
        .filter(isTooLong)
        .map(({ line }) => `${path}:${line}`),
    );

    expect(files.length).toBeGreaterThan(1_000);
    expect(long).toEqual([]);
  });

  it('uses ordinary words instead of paraphrases, and so does the name of a test', () => {
    const found = files.flatMap((path) => {
      const source = readFileSync(join(ROOT, path), 'utf8');
      const texts = path.endsWith('.spec.ts') ? namesOfTests(source) : [];
      return [...texts, ...commentsOf(source).map(({ text }) => text)]
        .filter(isParaphrase)
        .map((text) => `${path}: ${text.trim()}`);
    });

    expect(isParaphrase('Whoever asks is answered.')).toBe(true);
    expect(found).toEqual([]);
  });

  it.each([
    ['/** One. Two. Three. */ const a = 1;', true],
    ['// One.\n// Two.\n// Three.\nconst a = 1;', true],
    ['// One. Two.\nconst a = 1;\n// Three.', false],
    ['/** One. Two. Example: "One. Two. Three." */ const a = 1;', false],
    ['/** States. OPEN: one. HELD: two. DONE: three. */ const a = 1;', false],
    ['/**\n * States:\n * open    One. Two.\n * closed  Three. */ const a = 1;', false],
  ])('%j is too long: %s', (source, expected) => {
    expect(commentsOf(source).some(isTooLong)).toBe(expected);
  });
});

describe('a text of production code', () => {
  it('uses ordinary words instead of paraphrases', () => {
    const found = files.filter(isProduction).flatMap((path) => {
      const source = readFileSync(join(ROOT, path), 'utf8');
      if (!PARAPHRASES.test(source)) return [];
      return textsOf(path, source)
        .filter(isParaphrase)
        .map((text) => `${path}: ${text.trim()}`);
    });

    expect(textsOf('a.ts', "const a = [`${b} came back as nothing`, 'nobody', 'an error'];")).toEqual([
      ' came back as nothing',
      'an error',
    ]);
    expect(found).toEqual([]);
  });
});
