// Other modules are imported after the check, because an old version of Node fails on their syntax.
import { requireNode } from './require-node.mjs';

/**
 * Installs packages, builds, and runs a tool of tools/local. `expects` describes its arguments for `readArguments`;
 * invalid ones are refused before the installation.
 */
export async function runTool(name, { projects = [], startsServices = false, expects } = {}) {
  requireNode();
  const { fail, requireBuilt } = await import('./bootstrap.mjs');
  try {
    const { readArguments } = await import('./read-arguments.mjs');
    if (expects !== undefined) readArguments(expects);
    const { installAndBuild } = await import('./build.mjs');
    // The output of some tools is read by a program.
    await installAndBuild((sentence) => console.error(sentence), projects);
    const { serviceNode } = await import('./service-node.mjs');
    if (startsServices) process.env.SERVICE_NODE = await serviceNode((sentence) => console.log(sentence));
    requireBuilt(name);
  } catch (error) {
    fail(error);
  }
}
