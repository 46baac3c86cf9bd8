const { mkdirSync, writeFileSync } = require('node:fs');
const { join, relative } = require('node:path');
const pino = require('pino');

const ROOT = join(__dirname, '..', '..');
const LEVELS = ['debug', 'info', 'warn', 'error', 'fatal'];
const { LOG_EVENTS_FOLDER: folder } = process.env;
const createLogger = pino.pino;
const recorded = new Set();

/**
 * Writes an empty file for each logged event into the folder of the spec's project, if LOG_EVENTS_FOLDER is set. At the
 * end of a complete run they are compared with the catalogue.
 */
function recordLogEvents(specFile) {
  if (folder === undefined) return;
  const project = projectOf(relative(ROOT, specFile));
  pino.pino = (...args) => recording(createLogger(...args), project);
}

function recording(logger, project) {
  for (const level of LEVELS) {
    const write = logger[level];
    logger[level] = function recordAndWrite(...args) {
      for (const arg of args) if (isEvent(arg)) record(project, arg);
      return write.apply(this, args);
    };
  }
  const makeChild = logger.child;
  logger.child = function recordingChild(...args) {
    return recording(makeChild.apply(this, args), project);
  };
  return logger;
}

/** Example: `sms.received` */
function isEvent(arg) {
  return typeof arg === 'string' && /^[\w.]+$/.test(arg);
}

function record(project, event) {
  const file = join(folder, project, event);
  if (recorded.has(file)) return;
  recorded.add(file);
  mkdirSync(join(folder, project), { recursive: true });
  writeFileSync(file, '');
}

/** Example: `apps/reconciler` for `apps/reconciler/src/worker.unit.spec.ts`. */
function projectOf(path) {
  const [kind = '', name = ''] = path.split('/');
  return kind === 'tools' ? kind : join(kind, name);
}

module.exports = { recordLogEvents };
