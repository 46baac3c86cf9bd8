// Other modules are imported after the check, because an old version of Node fails on their syntax.
import { requireNode } from './require-node.mjs';

/**
 * Installs packages, builds, and runs a tool of tools/local. `expects` describes its arguments for `readArguments`;
 * invalid ones are refused before the installation.
 */
export async function runTool(name, { projects = [], startsServices = false, expects } = {}) {
  requireNode();
  const { ensureDependencies, fail, requireBuilt } = await import('./bootstrap.mjs');
  try {
    const { readArguments } = await import('./read-arguments.mjs');
    if (expects !== undefined) readArguments(expects);
    // The output of some tools is read by a program.
    await ensureDependencies((sentence) => console.error(sentence));
    const { buildAll } = await import('./build.mjs');
    await buildAll({ projects });
    const { serviceNode } = await import('./service-node.mjs');
    if (startsServices) process.env.SERVICE_NODE = await serviceNode((sentence) => console.log(sentence));
    requireBuilt(name);
  } catch (error) {
    fail(error);
  }
}
