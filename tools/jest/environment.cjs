const { LegacyFakeTimers, ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');
const { recordLogEvents } = require('./log-events.cjs');

const TIMER_CONFIG = {
  idToRef: (id) => ({ id, ref: () => undefined, unref: () => undefined }),
  refToId: (timer) => timer?.id,
};

/**
 * Specs use the realm of their worker, because `instanceof Error` must be true for errors of packages, which are loaded
 * once per worker. Globals and environment variables are restored after each spec file.
 */
class WorkerRealm {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  #globals = Object.getOwnPropertyDescriptors(globalThis);
  #exit = process.exit;
  #variables = { ...process.env };

  constructor({ projectConfig: config }, { testPath }) {
    recordLogEvents(testPath);
    this.fakeTimers = new LegacyFakeTimers({
      config,
      global: globalThis,
      moduleMocker: this.moduleMocker,
      timerConfig: TIMER_CONFIG,
    });
    this.fakeTimersModern = new ModernFakeTimers({ config, global: globalThis });
  }

  async setup() {}

  async teardown() {
    this.fakeTimers.dispose();
    this.fakeTimersModern.dispose();
    process.exit = this.#exit;
    restoreVariables(this.#variables);
    restoreGlobals(this.#globals);
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return null;
  }
}

function restoreVariables(before) {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  for (const [name, value] of Object.entries(before)) if (process.env[name] !== value) process.env[name] = value;
}

function restoreGlobals(before) {
  for (const key of Reflect.ownKeys(globalThis)) {
    const now = Object.getOwnPropertyDescriptor(globalThis, key);
    if (!now.configurable) continue;
    if (!(key in before)) delete globalThis[key];
    else if (now.value !== before[key].value) Object.defineProperty(globalThis, key, before[key]);
  }
}

module.exports = WorkerRealm;
