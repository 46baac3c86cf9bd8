export {
  aRandomMsisdn,
  aRandomNagadTrxId,
  aRandomTrxId,
  bkashSendMoneyText,
  nagadSendMoneyText,
  type ReceivedMoney,
} from './builders';
export {
  captureServer,
  type CapturedAnswer,
  type CapturedRequest,
  type CaptureServer,
  type Responder,
} from './capture-server';
export { certificateChain, type CertificateChain } from './certificate-chain';
export { testDatabase, type TestDatabase, type TestDatabaseOptions } from './database';
export { eventually, type EventuallyOptions } from './eventually';
export { failOnLeaks } from './leaks';
export { librarySchemas } from './library-schemas';
export { describedRoutes, mountedRoutes, unusedDependency } from './mounted-routes';
export { testNamespace } from './namespace';
export { newQueuesOnDisk } from './new-queues-on-disk';
export { promptly } from './promptly';
export { provideChromium } from './provide-chromium';
export { provideProgram, type WantedProgram } from './provide-program';
export { amqpUrl, postgresUrl } from './servers';
export { describeDays, measureTurnovers, type DayFigures, type Turnovers } from './turnovers';
