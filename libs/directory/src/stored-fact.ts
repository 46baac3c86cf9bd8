import {
  eventsOf,
  type ApiKeyFact,
  type DeviceFact,
  type DirectoryKind,
  type EventOf,
  type MerchantFact,
  type ReceiverAccountFact,
} from '@pay/contracts';

export interface FactOf {
  readonly merchant: MerchantFact;
  readonly api_key: ApiKeyFact;
  readonly receiver_account: ReceiverAccountFact;
  readonly device: DeviceFact;
}

/** A fact as a row of the copy: its whole state, beside the columns by which it is found. */
export interface StoredFact {
  readonly kind: DirectoryKind;
  readonly id: string;
  readonly version: number;
  readonly deleted: boolean;
  readonly merchant_id: string;
  readonly environment: string | null;
  readonly lookup_key: string | null;
  readonly data: FactOf[DirectoryKind];
}

const storedMerchant = (data: MerchantFact): StoredFact => ({
  kind: 'merchant',
  ...versionOf(data),
  merchant_id: data.id,
  environment: null,
  lookup_key: null,
  data,
});

const storedReceiverAccount = (data: ReceiverAccountFact): StoredFact => ({
  kind: 'receiver_account',
  ...versionOf(data),
  ...ownerOf(data),
  lookup_key: null,
  data,
});

export const storedApiKey = (data: ApiKeyFact): StoredFact => ({
  kind: 'api_key',
  ...versionOf(data),
  ...ownerOf(data),
  lookup_key: data.keyHash,
  data,
});

export const storedDevice = (data: DeviceFact): StoredFact => ({
  kind: 'device',
  ...versionOf(data),
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

/** The facts of these kinds among the events, at most one per id: the newest. In the order in which rows are locked. */
export function factsAmong(events: readonly EventOf[], kinds: readonly DirectoryKind[]): StoredFact[] {
  const facts = [
    ...eventsOf(events, 'merchant.changed').map((event) => storedMerchant(event.data)),
    ...eventsOf(events, 'api_key.changed').map((event) => storedApiKey(event.data)),
    ...eventsOf(events, 'receiver_account.changed').map((event) => storedReceiverAccount(event.data)),
    ...eventsOf(events, 'device.changed').map((event) => storedDevice(event.data)),
  ];
  const newest = new Map<string, StoredFact>();
  for (const fact of facts) {
    if (!kinds.includes(fact.kind)) continue;
    const key = `${fact.kind} ${fact.id}`;
    const known = newest.get(key);
    if (known === undefined || fact.version > known.version) newest.set(key, fact);
  }
  return [...newest.values()];
}
