import { createRequire } from 'node:module';
import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import { build, type Plugin } from 'esbuild';
import { OPERATIONS, permissionTable } from '@pay/contracts';
import type { renderPage } from './render-page';

const TABLE = permissionTable(OPERATIONS.filter(({ service }) => service === 'dashboard-api'));

/** The same table that the build of the pages contains. */
const operations: Plugin = {
  name: 'operations of the API',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^virtual:operations$/ }, ({ path }) => ({ path, namespace: 'operations' }));
    onLoad({ filter: /.*/, namespace: 'operations' }, () => ({ contents: JSON.stringify(TABLE), loader: 'json' }));
  },
};

/** Values of a browser that pages read while they are drawn. */
const BROWSER = {
  localStorage: { getItem: () => 'en' },
  sessionStorage: { getItem: () => null },
  navigator: { language: 'en', onLine: true },
  location: { origin: 'https://api.shop.example' },
};

type Run = (...values: readonly unknown[]) => void;

/** The pages as one script, for a process without a browser. */
export async function loadPages(): Promise<typeof renderPage> {
  const { outputFiles } = await build({
    entryPoints: [join(__dirname, 'render-page.tsx')],
    ...{ bundle: true, platform: 'node', format: 'cjs', write: false, logLevel: 'silent', plugins: [operations] },
    loader: { '.css': 'empty', '.woff2': 'empty', '.woff': 'empty' },
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  const module: { exports: { renderPage?: typeof renderPage } } = { exports: {} };
  const names = Object.keys(BROWSER);
  const run = compileFunction(outputFiles[0]?.text ?? '', ['module', 'exports', 'require', ...names]) as Run;
  run(module, module.exports, createRequire(__filename), ...Object.values(BROWSER));
  if (!module.exports.renderPage) throw new TypeError('the bundle exports no renderPage');
  return module.exports.renderPage;
}
