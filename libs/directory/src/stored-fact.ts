import {
  compareSequences,
  eventsOf,
  type ApiKeyFact,
  type DeviceFact,
  type DirectoryKind,
  type EventOf,
  type MerchantFact,
  type ReceiverAccountFact,
  type SequencePair,
} from '@pay/contracts';

export interface FactOf {
  readonly merchant: MerchantFact;
  readonly api_key: ApiKeyFact;
  readonly receiver_account: ReceiverAccountFact;
  readonly device: DeviceFact;
}

/** The full state, and the columns by which it is found. */
export interface StoredFact {
  readonly kind: DirectoryKind;
  readonly id: string;
  /** Epoch of dashboard-api's database; null if the event had none. */
  readonly epoch: number | null;
  readonly version: number;
  readonly deleted: boolean;
  readonly merchant_id: string;
  readonly environment: string | null;
  readonly lookup_key: string | null;
  readonly data: FactOf[DirectoryKind];
}

export function storedFact<Kind extends DirectoryKind>(
  kind: Kind,
  data: FactOf[Kind],
  epoch: number | null = null,
): StoredFact {
  const { id, version, deleted } = data;
  return {
    kind,
    id,
    epoch,
    version,
    deleted,
    merchant_id: 'merchantId' in data ? data.merchantId : id,
    environment: 'environment' in data ? data.environment : null,
    lookup_key: 'keyHash' in data ? data.keyHash : null,
    data,
  };
}

/** The newest fact per id, in the order in which rows are locked. */
export function factsAmong(events: readonly EventOf[], kinds: readonly DirectoryKind[]): StoredFact[] {
  const facts = [
    ...eventsOf(events, 'merchant.changed').map((event) => storedFact('merchant', event.data, event.epoch)),
    ...eventsOf(events, 'api_key.changed').map((event) => storedFact('api_key', event.data, event.epoch)),
    ...eventsOf(events, 'receiver_account.changed').map((event) =>
      storedFact('receiver_account', event.data, event.epoch),
    ),
    ...eventsOf(events, 'device.changed').map((event) => storedFact('device', event.data, event.epoch)),
  ];
  const newest = new Map<string, StoredFact>();
  for (const fact of facts) {
    if (!kinds.includes(fact.kind)) continue;
    const key = `${fact.kind} ${fact.id}`;
    const known = newest.get(key);
    if (known === undefined || compareSequences(sequenceOf(fact), sequenceOf(known)) > 0) newest.set(key, fact);
  }
  return [...newest.values()];
}

export function sequenceOf({ epoch, version }: Pick<StoredFact, 'epoch' | 'version'>): SequencePair {
  return { epoch, sequence: version };
}

/**
 * Compares only fields that both states have, because an owner of another version may send fields that this one lacks.
 */
export function isSameContent(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((each, place) => isSameContent(each, other[place]));
  if (!isRecord(one) || !isRecord(other)) return one === other;
  return Object.keys(one)
    .filter((key) => Object.hasOwn(other, key))
    .every((key) => isSameContent(one[key], other[key]));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
