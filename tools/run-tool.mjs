import { ensureDependencies, fail, requireBuilt } from './bootstrap.mjs';
import { readArguments } from './read-arguments.mjs';
import { serviceNode } from './service-node.mjs';

/**
 * Installs what is missing, builds, and runs a tool of tools/local. `expects` describes its arguments as
 * `readArguments` does; others are refused before anything is installed.
 */
export async function runTool(name, { projects = [], startsServices = false, expects } = {}) {
  try {
    if (expects !== undefined) readArguments(expects);
    await ensureDependencies((sentence) => console.log(sentence));
    const { buildAll } = await import('./build.mjs');
    await buildAll({ projects });
    if (startsServices) process.env.SERVICE_NODE = await serviceNode((sentence) => console.log(sentence));
    requireBuilt(name);
  } catch (error) {
    fail(error);
  }
}
