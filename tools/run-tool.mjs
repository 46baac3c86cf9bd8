import { ensureDependencies, fail, requireBuilt } from './bootstrap.mjs';
import { serviceNode } from './service-node.mjs';

/** Installs what is missing, builds, and runs a tool of tools/local. */
export async function runTool(name, { projects = [], startsServices = false } = {}) {
  try {
    await ensureDependencies((sentence) => console.log(sentence));
    const { buildAll } = await import('./build.mjs');
    await buildAll({ projects });
    if (startsServices) process.env.SERVICE_NODE = await serviceNode((sentence) => console.log(sentence));
    requireBuilt(name);
  } catch (error) {
    fail(error);
  }
}
