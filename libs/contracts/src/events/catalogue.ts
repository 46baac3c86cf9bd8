import type { z } from 'zod';
import type { Envelope } from './envelope';
import { alertV1 } from './alert-events';
import { claimDecidedV1, claimSubmittedV1 } from './claim-events';
import { deviceSeenV1 } from './device-events';
import {
  apiKeyChangedV1,
  apiKeyUsedV1,
  deviceChangedV1,
  directoryResendCompletedV1,
  directoryResendRequestedV1,
  merchantChangedV1,
  receiverAccountChangedV1,
  replayRequestedV1,
} from './directory-events';
import { intentOutcomeV1, intentStateV1 } from './intent-events';
import { matchV1 } from './match-events';
import { smsParsedV1, smsSignalsChangedV1, smsUnparsedV1 } from './sms-events';

/**
 * Every event of the system: type, current version, shape of `data`. The routing key is `<type>.v<version>`. A breaking
 * change is a new version beside the old one with an upcaster; a frozen JSON fixture of each version stays for ever.
 */
export const EVENTS = {
  'intent.created': { version: 1, data: intentStateV1 },
  'intent.method_selected': { version: 1, data: intentStateV1 },
  'intent.expiry_moved': { version: 1, data: intentStateV1 },
  'intent.paid': { version: 1, data: intentOutcomeV1 },
  'intent.review_required': { version: 1, data: intentOutcomeV1 },
  'intent.expired': { version: 1, data: intentOutcomeV1 },
  'intent.rejected': { version: 1, data: intentOutcomeV1 },
  'intent.failed': { version: 1, data: intentOutcomeV1 },
  'sms.parsed': { version: 1, data: smsParsedV1 },
  'sms.unparsed': { version: 1, data: smsUnparsedV1 },
  'sms.signals_changed': { version: 1, data: smsSignalsChangedV1 },
  'match.pending': { version: 1, data: matchV1 },
  'match.confirmed': { version: 1, data: matchV1 },
  'match.review_required': { version: 1, data: matchV1 },
  'match.duplicate': { version: 1, data: matchV1 },
  'match.failed': { version: 1, data: matchV1 },
  'match.expired': { version: 1, data: matchV1 },
  'match.rejected': { version: 1, data: matchV1 },
  'match.resolved': { version: 1, data: matchV1 },
  'match.unparsed': { version: 1, data: matchV1 },
  'claim.submitted': { version: 1, data: claimSubmittedV1 },
  'claim.waiting': { version: 1, data: claimDecidedV1 },
  'claim.settled': { version: 1, data: claimDecidedV1 },
  'merchant.changed': { version: 1, data: merchantChangedV1 },
  'api_key.changed': { version: 1, data: apiKeyChangedV1 },
  'api_key.used': { version: 1, data: apiKeyUsedV1 },
  'receiver_account.changed': { version: 1, data: receiverAccountChangedV1 },
  'device.changed': { version: 1, data: deviceChangedV1 },
  'device.seen': { version: 1, data: deviceSeenV1 },
  'alert.opened': { version: 1, data: alertV1 },
  'alert.closed': { version: 1, data: alertV1 },
  'directory.resend_requested': { version: 1, data: directoryResendRequestedV1 },
  'directory.resend_completed': { version: 1, data: directoryResendCompletedV1 },
  'messaging.replay_requested': { version: 1, data: replayRequestedV1 },
} as const satisfies Record<string, { version: number; data: z.ZodType }>;

export type EventType = keyof typeof EVENTS;
export type EventData<Type extends EventType> = z.infer<(typeof EVENTS)[Type]['data']>;

/** An event of one type, or, without an argument, the union of all, distinguished by `type`. */
export type EventOf<Type extends EventType = EventType> = { [T in Type]: Envelope<T, EventData<T>> }[Type];

export const EVENT_TYPES = Object.keys(EVENTS) as EventType[];

export function isEventType(type: string): type is EventType {
  return Object.hasOwn(EVENTS, type);
}

export function routingKey(type: EventType): string {
  return `${type}.v${EVENTS[type].version}`;
}

/** The events of the given types among a batch, in the order they came. */
export function eventsOf<Type extends EventType>(
  events: readonly EventOf[],
  ...types: readonly Type[]
): EventOf<Type>[] {
  const wanted: readonly EventType[] = types;
  return events.filter((event) => wanted.includes(event.type)) as unknown as EventOf<Type>[];
}
