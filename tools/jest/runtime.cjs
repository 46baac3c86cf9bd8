const { createRequire, isBuiltin } = require('node:module');
const { compileFunction } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

/**
 * The compiled wrapper of each file that this worker has loaded: specs evaluate the same files again, each for itself.
 */
const compiled = new Map();
/** Has no state and does nothing when it is loaded, so it is evaluated once per worker. */
const EVALUATED_ONCE = '@pay/contracts';
let contracts;

/**
 * Loads packages by Node's own `require`, as services do, once per worker. Files of this repository are evaluated again
 * for every spec file, except those of the contracts.
 */
class SpecRuntime extends Runtime {
  constructor(...args) {
    super(...args);
    this.executor.compile = (source, filename) => compileOnce(source, filename, this.executor.injectedModuleParameters);
  }

  requireModule(from, moduleName, options, isRequireActual) {
    const isOfJest = options?.isInternalModule ?? false;
    if (!isOfJest && isPackage(moduleName) && !isBuiltin(moduleName)) return createRequire(from)(moduleName);
    if (moduleName === EVALUATED_ONCE)
      return (contracts ??= super.requireModule(from, moduleName, options, isRequireActual));
    return super.requireModule(from, moduleName, options, isRequireActual);
  }
}

function isPackage(name) {
  return name !== undefined && /^(@(?!pay\/)|[^@./])/.test(name);
}

function compileOnce(source, filename, parameters) {
  const known = compiled.get(filename);
  if (known?.source === source) return known.run;
  const run = compileFunction(source, parameters, { filename });
  compiled.set(filename, { source, run });
  return run;
}

module.exports = SpecRuntime;
