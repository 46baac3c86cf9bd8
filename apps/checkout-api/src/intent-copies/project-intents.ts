import { eventsOf, INTENT_TYPES, type EventOf, type IntentType } from '@pay/contracts';
import type { Messaging } from '@pay/messaging';
import type { Transaction } from '@pay/persistence';
import type { ChangeNotifications } from './change-notifications';
import { storeCopies } from './intent-copy-repository';
import type { IntentCopy } from '../domain/intent-copy';
import type { IntentWatch } from './intent-watch';

export interface ProjectIntentsDeps {
  readonly watch: Pick<IntentWatch, 'announce'>;
  readonly notifications: Pick<ChangeNotifications, 'notify'>;
  readonly messaging: Pick<Messaging, 'reportConflict'>;
}

/** Events may arrive in any order. The highest sequence wins. */
export function projectIntents(deps: ProjectIntentsDeps, tx: Transaction, events: readonly EventOf[]): void {
  storeAndAnnounce(deps, tx, eventsOf(events, ...INTENT_TYPES).flatMap(copyOf));
}

/** After COMMIT it wakes waiting requests and streams. */
export function storeAndAnnounce(
  { watch, notifications, messaging }: ProjectIntentsDeps,
  tx: Transaction,
  copies: readonly IntentCopy[],
): void {
  const announce = (stored: readonly IntentCopy[]) => {
    if (stored.length === 0) return;
    watch.announce(stored);
    // No request can have read a state before the first one, so it needs no notification.
    notifications.notify(stored.filter(({ sequence }) => sequence > 1).map(({ intent }) => intent.id));
  };
  storeCopies(tx, copies, announce, (conflict) => messaging.reportConflict({ subject: 'intent', ...conflict }));
}

function copyOf(event: EventOf<IntentType>): IntentCopy[] {
  const { merchantId, environment, sequence, epoch, data } = event;
  const paidTrxId = event.type === 'intent.paid' ? event.data.decision.trxId : null;
  // Events of intents always have a merchant; one without is invalid.
  return merchantId === null || environment === null
    ? []
    : [{ merchantId, environment, sequence, epoch, intent: data.intent, paidTrxId }];
}
