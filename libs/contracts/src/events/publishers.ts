import type { ServiceName } from '../service-name';
import type { EventType } from './catalogue';

/** Services that check API keys, and report their use. */
const KEY_CHECKERS = ['intent-api', 'webhook-dispatcher'] as const;
/** Services that keep a copy of the directory, and can ask for all of it. */
const DIRECTORY_READERS = ['intent-api', 'checkout-api', 'sms-ingest', 'reconciler', 'webhook-dispatcher'] as const;
const EVERYONE = [...DIRECTORY_READERS, 'dashboard-api'] as const;

/**
 * Which services may publish an event type. Broker permissions are generated from this table, and consumers reject an
 * event whose publisher is not listed here.
 */
export const PUBLISHERS: Readonly<Record<EventType, readonly ServiceName[]>> = {
  'intent.created': ['intent-api'],
  'intent.method_selected': ['intent-api'],
  'intent.expiry_moved': ['intent-api'],
  'intent.paid': ['intent-api'],
  'intent.review_required': ['intent-api'],
  'intent.expired': ['intent-api'],
  'intent.rejected': ['intent-api'],
  'intent.failed': ['intent-api'],
  'sms.parsed': ['sms-ingest'],
  'sms.unparsed': ['sms-ingest'],
  'sms.signals_changed': ['sms-ingest'],
  'match.pending': ['reconciler'],
  'match.confirmed': ['reconciler'],
  'match.review_required': ['reconciler'],
  'match.duplicate': ['reconciler'],
  'match.failed': ['reconciler'],
  'match.expired': ['reconciler'],
  'match.rejected': ['reconciler'],
  'match.resolved': ['reconciler'],
  'match.unparsed': ['reconciler'],
  'claim.submitted': ['checkout-api'],
  'claim.waiting': ['reconciler'],
  'claim.settled': ['reconciler'],
  'merchant.changed': ['dashboard-api'],
  'api_key.changed': ['dashboard-api'],
  'api_key.used': KEY_CHECKERS,
  'receiver_account.changed': ['dashboard-api'],
  'device.changed': ['dashboard-api'],
  'device.seen': ['sms-ingest'],
  'alert.opened': ['dashboard-api'],
  'alert.closed': ['dashboard-api'],
  'directory.resend_requested': DIRECTORY_READERS,
  'directory.resend_completed': ['dashboard-api'],
  'messaging.replay_requested': EVERYONE,
};

export function mayPublish(service: ServiceName, type: EventType): boolean {
  return PUBLISHERS[type].includes(service);
}
