import { draft, type EventDraft } from '@pay/messaging';
import { apiKeyFact, deviceFact, merchantFact, receiverAccountFact } from '../domain/facts';
import type { ApiKeyRecord, DeviceRecord, ReceiverAccountRecord, RecordKind, Records } from '../domain/records';

type Announce = { readonly [Kind in RecordKind]: ((record: Records[Kind], at: Date) => EventDraft) | undefined };

/** Events contain the full state and the version of the record. Users are not published. */
const ANNOUNCE: Announce = {
  merchant: (record, at) =>
    draft('merchant.changed', {
      environment: null,
      merchantId: record.id,
      aggregateId: record.id,
      sequence: record.version,
      data: merchantFact(record),
      occurredAt: at,
    }),
  user: undefined,
  api_key: (record, at) => draft('api_key.changed', { ...about(record, at), data: apiKeyFact(record) }),
  receiver_account: (record, at) =>
    draft('receiver_account.changed', { ...about(record, at), data: receiverAccountFact(record) }),
  device: (record, at) => draft('device.changed', { ...about(record, at), data: deviceFact(record) }),
};

function about(record: ApiKeyRecord | ReceiverAccountRecord | DeviceRecord, occurredAt: Date) {
  const { id, merchantId, environment, version } = record;
  return { environment, merchantId, aggregateId: id, sequence: version, occurredAt };
}

/** Undefined for a user. */
export function directoryEvent<Kind extends RecordKind>(
  kind: Kind,
  record: Records[Kind],
  at: Date,
): EventDraft | undefined {
  return ANNOUNCE[kind]?.(record, at);
}
