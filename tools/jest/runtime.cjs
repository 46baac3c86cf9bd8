const { createRequire, isBuiltin } = require('node:module');
const { compileFunction } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

/** Compiled files of this worker. Each spec evaluates them again but need not compile them. */
const compiled = new Map();
/** Stateless and without side effects, so one evaluation per worker is enough. */
const EVALUATED_ONCE = '@pay/contracts';
let contracts;

/**
 * Loads packages with Node's own `require`, once per worker, as services do. Files of this repository are evaluated for
 * every spec file, except the contracts.
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
