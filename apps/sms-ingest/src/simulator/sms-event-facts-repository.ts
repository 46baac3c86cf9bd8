import {
  formatAmount,
  type Authenticity,
  type ParsedSmsEvent,
  type PaymentMethod,
  type SmsSignal,
  type SmsStatus,
  type Tenant,
} from '@pay/contracts';
import { statement, type Queryable } from '@pay/persistence';

const FIND = statement(
  'sms-event-facts',
  `select id, status, provider, kind, payment_method, parsed_amount, parsed_fee, parsed_commission, parsed_balance, parsed_trx_id,
     parsed_reference, parsed_sender_msisdn, receiver_account_id, receiver_msisdn, provider_time, parser_version, authenticity, signals,
     failure_reason
   from sms_events where id = $1 and merchant_id = $2 and environment = $3`,
);

interface Row {
  readonly id: string;
  readonly status: SmsStatus;
  readonly provider: string | null;
  readonly kind: string | null;
  readonly payment_method: PaymentMethod | null;
  readonly parsed_amount: string | null;
  readonly parsed_fee: string | null;
  readonly parsed_commission: string | null;
  readonly parsed_balance: string | null;
  readonly parsed_trx_id: string | null;
  readonly parsed_reference: string | null;
  readonly parsed_sender_msisdn: string | null;
  readonly receiver_account_id: string | null;
  readonly receiver_msisdn: string | null;
  readonly provider_time: Date | null;
  readonly parser_version: string;
  readonly authenticity: Authenticity | null;
  readonly signals: readonly SmsSignal[] | null;
  readonly failure_reason: string | null;
}

/** A stored SMS event of the tenant with what the parser read. */
export async function findSmsEventFacts(
  db: Queryable,
  { merchantId, environment }: Tenant,
  id: string,
): Promise<Omit<ParsedSmsEvent, 'duplicate'> | undefined> {
  const [row] = await db.query<Row>(FIND, [id, merchantId, environment]);
  if (row === undefined) return undefined;
  const amount = (poisha: string | null) => (poisha === null ? null : formatAmount(BigInt(poisha)));
  return {
    ...{ id: row.id, status: row.status, provider: row.provider, kind: row.kind, paymentMethod: row.payment_method },
    ...{ amount: amount(row.parsed_amount), fee: amount(row.parsed_fee), commission: amount(row.parsed_commission) },
    ...{ balance: amount(row.parsed_balance), trxId: row.parsed_trx_id, reference: row.parsed_reference },
    ...{ senderMsisdn: row.parsed_sender_msisdn, receiverAccountId: row.receiver_account_id },
    ...{ receiverMsisdn: row.receiver_msisdn, providerTime: row.provider_time?.toISOString() ?? null },
    ...{ parserVersion: row.parser_version, authenticity: row.authenticity, signals: [...(row.signals ?? [])] },
    failureReason: row.failure_reason,
  };
}
