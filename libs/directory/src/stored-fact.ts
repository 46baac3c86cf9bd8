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

const storedMerchant = (data: MerchantFact, epoch?: number | null): StoredFact => ({
  kind: 'merchant',
  ...versionOf(data),
  epoch: epoch ?? null,
  merchant_id: data.id,
  environment: null,
  lookup_key: null,
  data,
});

const storedReceiverAccount = (data: ReceiverAccountFact, epoch?: number | null): StoredFact => ({
  kind: 'receiver_account',
  ...versionOf(data),
  epoch: epoch ?? null,
  ...ownerOf(data),
  lookup_key: null,
  data,
});

export const storedApiKey = (data: ApiKeyFact, epoch?: number | null): StoredFact => ({
  kind: 'api_key',
  ...versionOf(data),
  epoch: epoch ?? null,
  ...ownerOf(data),
  lookup_key: data.keyHash,
  data,
});

export const storedDevice = (data: DeviceFact, epoch?: number | null): StoredFact => ({
  kind: 'device',
  ...versionOf(data),
  epoch: epoch ?? null,
  ...ownerOf(data),
  lookup_key: data.keyHash,
  data,
});

function versionOf({ id, version, deleted }: FactOf[DirectoryKind]) {
  return { id, version, deleted };
}

function ownerOf({ merchantId, environment }: ApiKeyFact | DeviceFact | ReceiverAccountFact) {
  return { merchant_id: merchantId, environment };
}

/** The newest fact per id, in the order in which rows are locked. */
export function factsAmong(events: readonly EventOf[], kinds: readonly DirectoryKind[]): StoredFact[] {
  const facts = [
    ...eventsOf(events, 'merchant.changed').map((event) => storedMerchant(event.data, event.epoch)),
    ...eventsOf(events, 'api_key.changed').map((event) => storedApiKey(event.data, event.epoch)),
    ...eventsOf(events, 'receiver_account.changed').map((event) => storedReceiverAccount(event.data, event.epoch)),
    ...eventsOf(events, 'device.changed').map((event) => storedDevice(event.data, event.epoch)),
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
