export { endServersBelow } from './end-servers-below';
export { freePort } from './free-port';
export { installer, installPackage } from './install-package';
export type { Log } from './log';
export { lockHolder, lockStateDir, takeLockFile, type FileLock } from './lock-state-dir';
export { outsideStateDir } from './postgres-home';
export {
  commandLine,
  endProcess,
  identifyProcess,
  isAlive,
  isGone,
  isSameProcess,
  type ProcessIdentity,
} from './processes';
export { provisionDatabases, roleOf, type ProvisionOptions } from './provision-databases';
export { outputOf, resultOf, type ProgramResult } from './run-program';
export { startPostgres, type LocalPostgres, type PostgresOptions } from './start-postgres';
export type { LocalRabbitMq } from './local-rabbitmq';
export { startRabbitMq, type RabbitMqOptions } from './start-rabbitmq';
export { StopRequested, StopSignal } from './stop-signal';
export { tailOf } from './tail-of';
