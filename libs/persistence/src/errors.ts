import { DatabaseError } from 'pg';

/** SQLSTATE classes for a server that is temporarily unavailable, whatever the statement. */
const UNAVAILABLE_CLASSES = new Set([
  '08', // connection exceptions
  '53', // disk full, out of memory, too many connections
  '58', // errors outside Postgres, such as input and output
]);
const UNAVAILABLE_STATES = new Set([
  '25006', // read-only: the primary has become a standby
  '25P03', // the server ended an idle transaction together with its session
  '57P01', // administrator's shutdown
  '57P02', // crash shutdown
  '57P03', // starting up or shutting down
  '57P05', // the server ended an idle session
]);

const UNAVAILABLE_SYSTEM_CODES = new Set([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);

/** Message of a pool whose former sessions still occupy its place on the server. */
export const SESSIONS_LEFT = 'No further connection';

/** The driver reports these only by message text. */
const UNAVAILABLE_MESSAGES = [
  SESSIONS_LEFT,
  'Connection terminated',
  'Client has encountered a connection error',
  'Client was closed',
  'timeout exceeded when trying to connect',
  'Query read timeout',
  'Cannot use a pool after calling end',
  'The server does not support SSL connections',
];

/** Postgres rolled back the transaction at COMMIT because an unobserved statement had failed. */
export class TransactionAborted extends Error {
  override readonly name = 'TransactionAborted';
}

function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** TypeORM wraps the driver's error; a failed connect to several addresses is an AggregateError. */
function* causesOf(error: unknown): Generator {
  yield error;
  if (typeof error !== 'object' || error === null) return;
  if ('driverError' in error) yield* causesOf(error.driverError);
  if ('cause' in error) yield* causesOf(error.cause);
  if (error instanceof AggregateError) for (const inner of error.errors) yield* causesOf(inner);
}

function meansConnectionLoss(error: unknown): boolean {
  const code = codeOf(error);
  if (error instanceof DatabaseError) {
    return code !== undefined && (UNAVAILABLE_CLASSES.has(code.slice(0, 2)) || UNAVAILABLE_STATES.has(code));
  }
  if (code !== undefined && UNAVAILABLE_SYSTEM_CODES.has(code)) return true;
  return error instanceof Error && UNAVAILABLE_MESSAGES.some((text) => error.message.startsWith(text));
}

/**
 * Whether the database is unavailable: unreachable, restarting, exhausted or disconnected. The outcome of the
 * transaction is unknown and the same work may be retried; its input is not the cause.
 */
export function isConnectionLoss(error: unknown): boolean {
  for (const cause of causesOf(error)) if (meansConnectionLoss(cause)) return true;
  return false;
}

const TIMEOUT_STATES = new Set(['57014', '55P03']);

export function isTimeout(error: unknown): boolean {
  return TIMEOUT_STATES.has(sqlStateOf(error)?.code ?? '');
}

/**
 * Whether the same request may succeed later: the database is unavailable, a statement or lock took too long, or
 * conflicts with other transactions outlasted the retries.
 */
export function isTemporaryFailure(error: unknown): boolean {
  return isConnectionLoss(error) || isSerializationConflict(error) || isTimeout(error);
}

/** Whether no statement can have run: the connection was refused or the server is still starting. */
export function isNotListening(error: unknown): boolean {
  for (const cause of causesOf(error)) if (['ECONNREFUSED', '57P03'].includes(codeOf(cause) ?? '')) return true;
  return false;
}

function sqlStateOf(error: unknown): DatabaseError | undefined {
  for (const cause of causesOf(error)) if (cause instanceof DatabaseError) return cause;
  return undefined;
}

/**
 * Whether a part of a failed batch may succeed: one row may be the cause, or the server has too little memory for the
 * whole.
 */
export function mayPartSucceed(error: unknown): boolean {
  return !isConnectionLoss(error) || sqlStateOf(error)?.code === '53200';
}

/** A serialization failure or a deadlock: the same transaction may succeed when repeated. */
export function isSerializationConflict(error: unknown): boolean {
  const code = sqlStateOf(error)?.code;
  return code === '40001' || code === '40P01';
}

export function isLockTimeout(error: unknown): boolean {
  return sqlStateOf(error)?.code === '55P03';
}

const REFUSED_VALUES = new Set(['23502', '23514']);

/** The same statement would always fail. */
export function isBadValue(error: unknown): boolean {
  const code = sqlStateOf(error)?.code;
  return code !== undefined && (code.startsWith('22') || REFUSED_VALUES.has(code));
}

/** With a name, only violations of that constraint. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  const cause = sqlStateOf(error);
  return cause?.code === '23505' && (constraint === undefined || cause.constraint === constraint);
}
