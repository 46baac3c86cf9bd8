import type { Authenticity, Tenant } from '@pay/contracts';
import { firstRow, inTransaction, mapped, statement, type Transaction } from '@pay/persistence';
import type { ArrivedSms } from '../domain/arrived-sms';
import { columnsOf } from '../intake/sms-event-repository';

/** Columns of parsed values: those that a new parser may change. */
const READ = [
  'status',
  'failure_reason',
  'provider',
  'kind',
  'direction',
  'payment_method',
  'provider_time',
  'parsed_amount',
  'parsed_fee',
  'parsed_commission',
  'parsed_balance',
  'parsed_trx_id',
  'parsed_reference',
  'parsed_sender_msisdn',
  'parsed_recipient_msisdn',
  'receiver_account_id',
] as const;
export type ReadColumns = Readonly<Record<(typeof READ)[number], unknown>>;

/** A stored SMS that only the parser has seen, as far as it is needed to read it again. */
export interface UnparsedSms extends Tenant {
  readonly id: string;
  readonly deviceId: string;
  /** The number that the forwarder stated. Texts of earlier versions: the stored one, whatever its origin. */
  readonly statedMsisdn: string | null;
  readonly simSlot: number | null;
  readonly clientMessageId: string | null;
  readonly receivedAt: Date;
  readonly ingestedAt: Date;
  readonly sealedText: string | null;
  readonly announcedSequence: number;
  readonly authenticity: Authenticity | null;
  readonly columns: ReadColumns;
}

type Row = Omit<UnparsedSms, 'columns'> & ReadColumns;

// A decision of a person, and every decision except the first "no evidence", takes precedence over the parser.
const UNDECIDED = `select id, merchant_id as "merchantId", environment, device_id as "deviceId",
    case when receiver_is_stated is not false then receiver_msisdn end as "statedMsisdn",
    sim_slot as "simSlot", client_message_id as "clientMessageId", received_at as "receivedAt", ingested_at as "ingestedAt",
    sealed_text as "sealedText", announced_sequence as "announcedSequence", authenticity, ${READ.join(', ')}
  from sms_events
  where status = 'UNPARSED' and merchant_id = $1 and environment = $2 and coalesce(match_status, 'UNPARSED') = 'UNPARSED'`;
const PAGE = `${UNDECIDED} and id > $3 and id < $4 and ($5::text is null or failure_reason = $5) order by id limit $6`;

export interface UnparsedPage extends Tenant {
  /** Ids between these two. */
  readonly after: string;
  readonly before: string;
  readonly reason: string | null;
  readonly limit: number;
}

/** Locks rows in the order of their ids and skips those locked by others. */
export const lockUnparsed = inTransaction
  .mapped(fromRow)
  .rows('lock-unparsed-sms', `${PAGE} for update skip locked`, valuesOf);

export const findUnparsed = mapped(fromRow).rows('find-unparsed-sms', PAGE, valuesOf);

/** One of them, or none if it is decided or not of the tenant. */
export const findOneUnparsed = mapped(fromRow).rows('find-one-unparsed-sms', `${UNDECIDED} and id = $3`, ofTenant);

/** The same, locked; it waits for another transaction that has it. */
export const lockOneUnparsed = inTransaction
  .mapped(fromRow)
  .rows('lock-one-unparsed-sms', `${UNDECIDED} and id = $3 for update`, ofTenant);

function ofTenant({ merchantId, environment }: Tenant, id: string): unknown[] {
  return [merchantId, environment, id];
}

function valuesOf({ merchantId, environment, after, before, reason, limit }: UnparsedPage): unknown[] {
  return [merchantId, environment, after, before, reason, limit];
}

function fromRow(row: Row): UnparsedSms {
  return { ...row, columns: row };
}

/** The current parse result, in the same columns. */
export function readColumns(sms: Pick<ArrivedSms, 'reading' | 'receiverAccountId'>): ReadColumns {
  return { ...columnsOf(sms.reading), receiver_account_id: sms.receiverAccountId } as ReadColumns;
}

export function saysTheSame(one: ReadColumns, other: ReadColumns): boolean {
  return READ.every((column) => plain(one[column]) === plain(other[column]));
}

function plain(value: unknown): unknown {
  return value instanceof Date ? value.getTime() : (value ?? null);
}

/** The tenants that have such SMS, one after the other. */
export const nextTenantWithUnparsed = firstRow<Tenant, [after: Tenant]>(
  'next-tenant-with-unparsed-sms',
  `select merchant_id as "merchantId", environment from sms_events
   where status = 'UNPARSED' and (merchant_id, environment) > ($1::uuid, $2) order by merchant_id, environment limit 1`,
  ({ merchantId, environment }) => [merchantId, environment],
);

const REWRITE = statement(
  'rewrite-unparsed-sms',
  `update sms_events as event
   set parser_version = given.parser_version, receiver_account_id = given.receiver_account_id,
       receiver_msisdn = given.receiver_msisdn, provider = given.provider, kind = given.kind, direction = given.direction,
       payment_method = given.payment_method, provider_time = given.provider_time, parsed_amount = given.parsed_amount,
       parsed_fee = given.parsed_fee, parsed_commission = given.parsed_commission, parsed_balance = given.parsed_balance,
       parsed_trx_id = given.parsed_trx_id, parsed_reference = given.parsed_reference,
       parsed_sender_msisdn = given.parsed_sender_msisdn, parsed_recipient_msisdn = given.parsed_recipient_msisdn,
       signals = given.signals, status = given.status, failure_reason = given.failure_reason,
       match_status = case when given.status = 'UNPARSED' then event.match_status end,
       announced_sequence = given.announced_sequence, passed_over_at = null
   from jsonb_to_recordset($1::jsonb) as given (id uuid, parser_version text, receiver_account_id uuid, receiver_msisdn text,
     provider text, kind text, direction text, payment_method text, provider_time timestamptz, parsed_amount bigint,
     parsed_fee bigint, parsed_commission bigint, parsed_balance bigint, parsed_trx_id text, parsed_reference text,
     parsed_sender_msisdn text, parsed_recipient_msisdn text, signals jsonb, status text, failure_reason text,
     announced_sequence integer)
   where event.id = any($2::uuid[]) and event.id = given.id`,
);

export interface ReadAgain {
  readonly sms: ArrivedSms;
  /** Sequence of its event. */
  readonly sequence: number;
}

/** Writes what is read of them now into rows that the caller has locked. */
export async function rewriteUnparsed(tx: Transaction, again: readonly ReadAgain[]): Promise<void> {
  const rows = again.map(({ sms, sequence }) => ({
    id: sms.id,
    ...columnsOf(sms.reading),
    receiver_account_id: sms.receiverAccountId,
    receiver_msisdn: sms.receiverMsisdn,
    announced_sequence: sequence,
  }));
  await tx.execute(REWRITE, [JSON.stringify(rows), again.map(({ sms }) => sms.id)]);
}
