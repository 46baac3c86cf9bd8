export type { Handle, Prepare } from './consumer/batch';
export type { Broadcast } from './broker/broadcast';
export { draft, type DraftInput, type EventDraft } from './draft';
export { brokerCli } from './broker/broker-cli';
export { definitionsOf, type Definitions } from './broker/broker-definitions';
export { PermanentError } from './errors';
export { derivedKey, verificationKeySetting, type EventKeys } from './broker/event-keys';
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
} from './outbox/operator-actions';
export { outboxOnly } from './outbox/outbox-only';
export { parkedCli } from './consumer/parked-cli';
export { replayCli } from './outbox/replay-cli';
export { inspectBindings, readProbeState, type BindingState, type ProbeState } from './broker/inspect-bindings';
export { inspectQueues, type QueueState } from './broker/inspect-queues';
export { listParked, replayParked, type ParkedMessage } from './consumer/parking';
export { checkEpoch, PUBLISHER_EPOCH, raiseEpoch, readEpoch } from './outbox/publisher-epoch';
export type { ReportConflict, SequenceConflict } from './consumer/sequence-conflict';
export { permissionsOf, type Permissions } from './broker/permissions';
export { QUEUES, namesIn, queuesReceiving, TOPOLOGY, type QueueName } from './broker/topology';
export { declareTopology, deleteMessages, type AdministratorOptions } from './broker/whole-topology';
