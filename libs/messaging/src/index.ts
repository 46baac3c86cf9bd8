export type { Handle, Prepare } from './batch';
export type { Broadcast } from './broadcast';
export { draft, type DraftInput, type EventDraft } from './draft';
export { PermanentError } from './errors';
export {
  openMessaging,
  type ConsumerOptions,
  type Messaging,
  type PreparedConsumerOptions,
  type MessagingOptions,
} from './messaging';
export { messagingMigrations } from './migrations';
export { findOutboxEvents, forgetReceivedEvents, republishEvents, type StoredEvent } from './operator-actions';
export { outboxOnly } from './outbox-only';
export { parkedCli } from './parked-cli';
export { inspectQueues, type QueueState } from './inspect-queues';
export { listParked, replayParked, type ParkedMessage } from './parking';
export { QUEUES, TOPOLOGY, type QueueName } from './topology';
