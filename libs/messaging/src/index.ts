export type { Handle, Prepare } from './batch';
export type { Broadcast } from './broadcast';
export { draft, type DraftInput, type EventDraft } from './draft';
export { brokerCli } from './broker-cli';
export { definitionsOf, type Definitions } from './broker-definitions';
export { PermanentError } from './errors';
export {
  derivedKey,
  formatVerificationKeys,
  verificationKeysFor,
  type EventKeys,
  type VerificationKey,
} from './event-keys';
export {
  openMessaging,
  type ConsumerOptions,
  type Messaging,
  type PreparedConsumerOptions,
  type MessagingOptions,
} from './messaging';
export { messagingMigrations } from './migrations';
export {
  findOutboxEvents,
  forgetReceivedEvents,
  listReplays,
  stopReplay,
  republishEvents,
  requestReplays,
  type ReplayProgress,
  type ReplayRequest,
  type StoredEvent,
} from './operator-actions';
export { outboxOnly } from './outbox-only';
export { parkedCli } from './parked-cli';
export { replayCli } from './replay-cli';
export { inspectBindings, readProbeState, type BindingState, type ProbeState } from './inspect-bindings';
export { inspectQueues, type QueueState } from './inspect-queues';
export { listParked, replayParked, type ParkedMessage } from './parking';
export { checkEpoch, PUBLISHER_EPOCH, raiseEpoch, readEpoch } from './publisher-epoch';
export type { ReportConflict, SequenceConflict } from './sequence-conflict';
export { permissionsOf, type Permissions } from './permissions';
export { QUEUES, namesIn, queuesReceiving, TOPOLOGY, type QueueName } from './topology';
export { declareTopology, deleteMessages, removeFormerExchanges, type AdministratorOptions } from './whole-topology';
