import { eventsOf, type EventOf } from '@pay/contracts';
import type { Transaction } from '@pay/persistence';
import { storeChoices, type Activity } from './activity-repository';

export function recordChoices(tx: Transaction, events: readonly EventOf[]): void {
  storeChoices(
    tx,
    eventsOf(events, 'intent.method_selected').flatMap(({ occurredAt, data: { intent } }): Activity[] =>
      intent.paymentMethod === null
        ? []
        : [
            {
              intentId: intent.id,
              action: 'method_chosen',
              detail: intent.paymentMethod,
              at: new Date(occurredAt),
            },
          ],
    ),
  );
}
