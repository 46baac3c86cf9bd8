import { draft, type Messaging } from '@pay/messaging';
import type { Transaction } from '@pay/persistence';
import { countIntents } from './intent-counter-repository';
import { findByIdempotencyKey, insertAbsentIntents, type IntentToStore } from './insert-intent-repository';
import { countedIn } from '../domain/counted';
import { UNDECIDED, type StoredIntent } from '../domain/stored-intent';

export interface NewIntent extends IntentToStore {
  /** Used after a collision. Absent if the merchant gave the reference. */
  readonly anotherReference?: (() => string) | undefined;
}

export type StoreOutcome =
  | { readonly kind: 'created'; readonly stored: StoredIntent }
  | { readonly kind: 'replayed'; readonly stored: StoredIntent }
  | { readonly kind: 'key_reused' }
  | { readonly kind: 'reference_taken' };

export interface StoreIntentsDeps {
  readonly messaging: Pick<Messaging, 'publish'>;
}

const REFERENCE_ATTEMPTS = 5;

/**
 * The caller's transaction also contains `intent.created`. A known idempotency key takes precedence over a taken
 * reference.
 */
export async function storeIntents(
  deps: StoreIntentsDeps,
  tx: Transaction,
  intents: readonly NewIntent[],
): Promise<StoreOutcome[]> {
  const slots: { intent: NewIntent; outcome?: StoreOutcome }[] = intents.map((intent) => ({ intent }));
  for (let attempt = 1; attempt <= REFERENCE_ATTEMPTS; attempt++) {
    const open = slots.filter((slot) => slot.outcome === undefined);
    if (open.length === 0) break;
    const inserted = await insertAbsentIntents(
      tx,
      open.map((slot) => slot.intent),
    );
    for (const slot of open) {
      const outcome = inserted.has(slot.intent.intent.id) ? created(slot.intent) : await conflictWith(tx, slot.intent);
      if (outcome) slot.outcome = outcome;
      else slot.intent = renamed(slot.intent);
    }
  }
  const outcomes = slots.map((slot): StoreOutcome => slot.outcome ?? { kind: 'reference_taken' });
  await announce(
    deps,
    tx,
    outcomes.flatMap((outcome) => (outcome.kind === 'created' ? [outcome.stored] : [])),
  );
  return outcomes;
}

async function announce(
  { messaging }: StoreIntentsDeps,
  tx: Transaction,
  stored: readonly StoredIntent[],
): Promise<void> {
  if (stored.length > 0) await messaging.publish(tx, stored.map(createdEvent));
  countIntents(tx, countedIn(stored));
}

/** Undefined if only a generated reference collided. */
async function conflictWith(tx: Transaction, intent: NewIntent): Promise<StoreOutcome | undefined> {
  const known = await findByIdempotencyKey(tx, intent.tenant, intent.idempotencyKey);
  if (known?.parametersHash === intent.parametersHash) return { kind: 'replayed', stored: known.stored };
  if (known) return { kind: 'key_reused' };
  return intent.anotherReference ? undefined : { kind: 'reference_taken' };
}

function renamed(given: NewIntent): NewIntent {
  const customerReference = given.anotherReference?.() ?? given.intent.customerReference;
  return { ...given, intent: { ...given.intent, customerReference } };
}

function created({ tenant, intent }: NewIntent): Extract<StoreOutcome, { kind: 'created' }> {
  const { merchantId, environment } = tenant;
  return { kind: 'created', stored: { merchantId, environment, sequence: 1, ...UNDECIDED, intent } };
}

function createdEvent({ merchantId, environment, sequence, intent }: StoredIntent) {
  return draft('intent.created', {
    environment,
    merchantId,
    aggregateId: intent.id,
    sequence,
    occurredAt: intent.createdAt,
    data: { intent },
  });
}
