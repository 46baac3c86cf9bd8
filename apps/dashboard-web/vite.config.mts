import { createRequire } from 'node:module';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { defineConfig, type Plugin } from 'vite';

const ROOT = join(import.meta.dirname, '..', '..');
const OPERATIONS_MODULE = 'virtual:operations';

type Contracts = Pick<typeof import('@pay/contracts'), 'OPERATIONS' | 'permissionTable'>;

/** The permissions of the operations of dashboard-api, from the sources of the contracts. */
function describedOperations(): object {
  const { outputFiles } = buildSync({
    entryPoints: [join(ROOT, 'libs', 'contracts', 'src', 'index.ts')],
    ...{ bundle: true, platform: 'node', format: 'cjs', packages: 'external', write: false },
  });
  const module: { exports: Partial<Contracts> } = { exports: {} };
  const run = new Function('module', 'exports', 'require', outputFiles[0]?.text ?? '');
  run(module, module.exports, createRequire(import.meta.url));
  const { OPERATIONS, permissionTable } = module.exports as Contracts;
  return permissionTable(OPERATIONS.filter(({ service }) => service === 'dashboard-api'));
}

const operations: Plugin = {
  name: 'operations of the API',
  resolveId: (id) => (id === OPERATIONS_MODULE ? `\0${id}` : undefined),
  load: (id) =>
    id === `\0${OPERATIONS_MODULE}` ? `export default ${JSON.stringify(describedOperations())};` : undefined,
};

export default defineConfig({
  root: import.meta.dirname,
  base: '/dashboard/',
  plugins: [operations],
  build: {
    outDir: join(ROOT, 'dist', 'apps', 'dashboard-web'),
    emptyOutDir: true,
    target: ['chrome111', 'firefox114', 'safari16.4'],
    // Inlined files would need `data:` in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // Packages mark modules for React servers, which means nothing in a browser.
      onLog: (level, log, report) => {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log);
      },
    },
  },
});
