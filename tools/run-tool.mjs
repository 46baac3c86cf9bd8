import { ensureDependencies, fail, requireBuilt } from './bootstrap.mjs';

/** Installs what is missing, builds, and runs a tool of tools/local. */
export async function runTool(name, { projects = [] } = {}) {
  try {
    await ensureDependencies((sentence) => console.log(sentence));
    const { buildAll } = await import('./build.mjs');
    await buildAll({ projects });
    requireBuilt(name);
  } catch (error) {
    fail(error);
  }
}
