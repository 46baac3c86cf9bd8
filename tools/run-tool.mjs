import { ensureDependencies, fail, requireBuilt } from './bootstrap.mjs';
import { readArguments } from './read-arguments.mjs';
import { serviceNode } from './service-node.mjs';

/**
 * Installs packages, builds, and runs a tool of tools/local. `expects` describes its arguments for `readArguments`;
 * invalid ones are refused before the installation.
 */
export async function runTool(name, { projects = [], startsServices = false, expects } = {}) {
  try {
    if (expects !== undefined) readArguments(expects);
    // The output of some tools is read by a program.
    await ensureDependencies((sentence) => console.error(sentence));
    const { buildAll } = await import('./build.mjs');
    await buildAll({ projects });
    if (startsServices) process.env.SERVICE_NODE = await serviceNode((sentence) => console.log(sentence));
    requireBuilt(name);
  } catch (error) {
    fail(error);
  }
}
