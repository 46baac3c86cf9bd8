import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { compileFunction } from 'node:vm';
import { build, type Plugin } from 'esbuild';
import { OPERATIONS, permissionTable } from '@pay/contracts';
import type { openPage } from './open-page';

const TABLE = permissionTable(OPERATIONS.filter(({ service }) => service === 'dashboard-api'));

/** The same table that the build of the pages contains. */
const operations: Plugin = {
  name: 'operations of the API',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^virtual:operations$/ }, ({ path }) => ({ path, namespace: 'operations' }));
    onLoad({ filter: /.*/, namespace: 'operations' }, () => ({ contents: JSON.stringify(TABLE), loader: 'json' }));
  },
};

const SOURCE = join(__dirname, '..', 'src');
/** Around every page: its controls are not those of a page. */
const FRAME = [join(SOURCE, 'shell'), join(SOURCE, 'parts', 'preferences.tsx')] as const;
/** Its controls are used by specs. */
const ACCOUNT_MENU = join(SOURCE, 'shell', 'account-menu.tsx');
const INTERACTION = join(__dirname, 'interaction.ts');
const MUTATIONS = join(__dirname, 'mutations.ts');

/**
 * For pages that are drawn without a browser: the states of their components are kept, and their elements are
 * registered. A dialog is drawn in its place instead of above the page.
 */
const interactive: Plugin = {
  name: 'interactive pages',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^react\/jsx-runtime$/ }, ({ importer }) =>
      importer.startsWith(SOURCE) && (importer === ACCOUNT_MENU || !FRAME.some((path) => importer.startsWith(path)))
        ? { path: 'jsx', namespace: 'interactive' }
        : undefined,
    );
    onLoad({ filter: /^jsx$/, namespace: 'interactive' }, () => ({
      contents: `import { Fragment, jsx as make, jsxs as makeAll } from 'react/jsx-runtime';
        import { registerElement } from ${JSON.stringify(INTERACTION)};
        const registered = (make) => (type, props, ...more) => (registerElement(type, props), make(type, props, ...more));
        export const [jsx, jsxs] = [registered(make), registered(makeAll)];
        export { Fragment };`,
      resolveDir: __dirname,
    }));
    onLoad({ filter: /\.tsx$/ }, ({ path }) => {
      if (!path.startsWith(SOURCE)) return undefined;
      if (path.endsWith('/parts/dialog.tsx'))
        return {
          contents: `import { registerDialog } from ${JSON.stringify(INTERACTION)};
            export function Dialog({ children }) { registerDialog(); return <div role="dialog">{children}</div>; }`,
          loader: 'tsx',
        };
      const text = readFileSync(path, 'utf8');
      const name = relative(SOURCE, path);
      const withStates = text.replaceAll(/\buseState(?=[<(])/g, (_, at: number) => `stateAt('${name} ${at}')`);
      // The controls of a page are all used one after another, as if each were the first one.
      const kept = path.startsWith(FRAME[0])
        ? withStates.replaceAll(/\buseMutation(?=\()/g, (_, at: number) => `mutationAt('${name} mutation ${at}')`)
        : withStates;
      return {
        contents: `import { stateAt } from ${JSON.stringify(INTERACTION)};
          import { mutationAt } from ${JSON.stringify(MUTATIONS)};
          ${kept}`,
        loader: 'tsx',
      };
    });
  },
};

/** Values of a browser that pages read while they are drawn. */
const BROWSER = {
  localStorage: { getItem: () => 'en' },
  sessionStorage: { getItem: () => null },
  navigator: { language: 'en', onLine: true },
  location: { origin: 'https://api.shop.example', hash: '#token' },
};

type Run = (...values: readonly unknown[]) => void;

/** The pages as one script, for a process without a browser. */
export async function loadPages(): Promise<typeof openPage> {
  const { outputFiles } = await build({
    entryPoints: [join(__dirname, 'open-page.tsx')],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    write: false,
    logLevel: 'silent',
    plugins: [operations, interactive],
    loader: { '.css': 'empty', '.woff2': 'empty', '.woff': 'empty' },
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  const module: { exports: { openPage?: typeof openPage } } = { exports: {} };
  const names = Object.keys(BROWSER);
  const run = compileFunction(outputFiles[0]?.text ?? '', ['module', 'exports', 'require', ...names]) as Run;
  run(module, module.exports, createRequire(__filename), ...Object.values(BROWSER));
  if (!module.exports.openPage) throw new TypeError('the bundle exports no openPage');
  return module.exports.openPage;
}
