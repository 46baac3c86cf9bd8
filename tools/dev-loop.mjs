import { existsSync, readdirSync, readFileSync, watch } from 'node:fs';
import { join } from 'node:path';
import { fail, ROOT } from './bootstrap.mjs';
import { buildAll } from './build.mjs';
import { nameProblem } from './read-arguments.mjs';

/** Editors write a file in several steps, which must cause only one build. */
const SETTLE_MS = 100;

const DASHBOARD = 'dashboard-web';

/** Serves the dashboard from its sources on a separate port. The running system answers its API requests. */
async function servePages(baseUrl) {
  const { createServer } = await import('vite');
  const server = await createServer({
    configFile: join(ROOT, 'apps', DASHBOARD, 'vite.config.mts'),
    server: { host: '127.0.0.1', proxy: { '/v1': baseUrl } },
  });
  await server.listen();
  console.log(`${server.resolvedUrls.local[0]} reloads when a file changes. Press Ctrl-C to stop.`);
}

/** Watches until Ctrl-C. */
export async function develop([app, ...more]) {
  const apps = readdirSync(join(ROOT, 'apps')).filter((name) => existsSync(join(ROOT, 'apps', name, 'src', 'main.ts')));
  if (app === '--help') {
    console.log(`npm run dev -- APP, one of ${[...apps, DASHBOARD].join(', ')}\nExample: npm run dev -- reconciler`);
    return;
  }
  const problem = more.length > 0 ? 'Name one app only.' : nameProblem(app, [...apps, DASHBOARD], 'an app');
  if (problem !== undefined) fail(new Error(`${problem}\nExample: npm run dev -- reconciler`));
  const { baseUrl } = runningSystem();
  if (app === DASHBOARD) return servePages(baseUrl);
  const folders = [join('apps', app, 'src'), ...readdirSync(join(ROOT, 'libs')).map((lib) => join('libs', lib, 'src'))];
  let timer;
  for (const folder of folders) {
    watch(join(ROOT, folder), { recursive: true }, (_, file) => {
      if (!file || file.includes('.spec.')) return;
      clearTimeout(timer);
      timer = setTimeout(() => void rebuild(app, join(folder, file)), SETTLE_MS);
    });
  }
  console.log(`Watching ${app} and the libraries; logs are in .run/logs/${app}.log. Press Ctrl-C to stop.`);
}

async function rebuild(app, file) {
  const begun = performance.now();
  try {
    await buildAll({ projects: [join('apps', app)] });
    // The starter of the system restarts a service that ends, from the new bundle.
    process.kill(runningSystem().services[app].pid, 'SIGTERM');
    console.log(`${file} changed: ${app} was rebuilt in ${Math.round(performance.now() - begun)} ms and is restarting`);
  } catch (error) {
    console.error(error.message);
  }
}

function runningSystem() {
  const path = join(ROOT, '.run', 'gateway.json');
  if (!existsSync(path)) fail(new Error('The system is not running. Run `npm start` in another terminal first.'));
  return JSON.parse(readFileSync(path, 'utf8'));
}
