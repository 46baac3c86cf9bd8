import { eventsOf, type EventOf } from '@pay/contracts';
import type { Transaction } from '@pay/persistence';
import { noteApiKeyUses } from './api-key-use-repository';

export async function recordKeyUse(tx: Transaction, events: readonly EventOf[]): Promise<void> {
  await noteApiKeyUses(
    tx,
    eventsOf(events, 'api_key.used').flatMap((event) => event.data.uses),
  );
}
