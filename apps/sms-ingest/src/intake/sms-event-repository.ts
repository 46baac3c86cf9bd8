import type { MatchStatus, SmsStatus, Tenant } from '@pay/contracts';
import { rows, statement, type Transaction } from '@pay/persistence';
import type { ArrivedSms } from '../domain/arrived-sms';
import { PARSER_VERSION, type Parsed, type Unparsed } from '../domain/parsed-sms';
import { shownSender } from '../domain/shown-sender';
import { balanceTextsGiven, balanceTextRows, type NewBalanceText } from '../balances/balance-text-repository';
import { bytes } from './sms-fingerprint-repository';

const COLUMNS = `id, merchant_id, environment, device_id, receiver_account_id, sender, sealed_text, receiver_msisdn,
  receiver_is_stated, sim_slot, client_message_id, received_at, ingested_at, parser_version, provider, kind, direction, payment_method, provider_time,
  parsed_amount, parsed_fee, parsed_commission, parsed_balance, parsed_trx_id, parsed_reference, parsed_sender_msisdn,
  parsed_recipient_msisdn, signals, status, failure_reason, authenticity`;

// An event is stored if all its fingerprints are new; they are inserted in sorted order, so that two groups cannot
// deadlock. `not in` is answered from a hash table; a join would compare each event with all others of the group.
const STORE = statement(
  'store-sms-events',
  `with won as (
     insert into sms_fingerprints (fingerprint, sms_event_id)
     select fingerprint, sms_event_id from unnest($2::bytea[], $3::uuid[]) as given (fingerprint, sms_event_id) order by fingerprint
     on conflict (fingerprint) do nothing
     returning fingerprint, sms_event_id
   ), repeated as (
     select sms_event_id from unnest($2::bytea[], $3::uuid[]) as given (fingerprint, sms_event_id)
     where fingerprint not in (select fingerprint from won)
   ), stored as (
     insert into sms_events (${COLUMNS})
     select ${COLUMNS}
     from jsonb_to_recordset($1::jsonb) as given (id uuid, merchant_id uuid, environment text, device_id uuid, receiver_account_id uuid,
       sender text, sealed_text text, receiver_msisdn text, receiver_is_stated boolean, sim_slot integer, client_message_id text,
       received_at timestamptz, ingested_at timestamptz, parser_version text, provider text, kind text, direction text, payment_method text,
       provider_time timestamptz, parsed_amount bigint, parsed_fee bigint, parsed_commission bigint, parsed_balance bigint,
       parsed_trx_id text, parsed_reference text, parsed_sender_msisdn text, parsed_recipient_msisdn text, signals jsonb, status text,
       failure_reason text, authenticity text)
     where id not in (select sms_event_id from repeated)
   ), listed as (
     insert into balance_texts (sms_event_id, chain_id, at, received_at, balance, effects, pair, is_doubted)
     select id, chain_id, at, received_at, balance, effects, pair, is_doubted from ${balanceTextsGiven(4)}
     where id not in (select sms_event_id from repeated)
   )
   select encode(fingerprint, 'hex') as fingerprint from won`,
);

export interface NewSms {
  readonly message: ArrivedSms;
  /** Sender and message as they came. */
  readonly sealedText: string;
  /** Keyed. */
  readonly fingerprints: readonly string[];
}

/**
 * Stores SMS without a known fingerprint and their `balanceTexts`. Returns the new fingerprints; the others belong to
 * repeats.
 */
export async function storeSmsEvents(
  tx: Transaction,
  sms: readonly NewSms[],
  balanceTexts: readonly NewBalanceText[],
): Promise<Set<string>> {
  const links = sms.flatMap(({ message, fingerprints }) =>
    fingerprints.map((fingerprint) => [fingerprint, message.id] as const),
  );
  const won = await tx.query<{ fingerprint: string }>(STORE, [
    JSON.stringify(sms.map(rowOf)),
    links.map(([fingerprint]) => bytes(fingerprint)),
    links.map(([, id]) => id),
    balanceTextRows(balanceTexts),
  ]);
  return new Set(won.map((row) => row.fingerprint));
}

function rowOf({ message: sms, sealedText }: NewSms): Record<string, unknown> {
  return {
    id: sms.id,
    merchant_id: sms.merchantId,
    environment: sms.environment,
    device_id: sms.deviceId,
    receiver_account_id: sms.receiverAccountId,
    sender: shownSender(sms.sender),
    sealed_text: sealedText,
    receiver_msisdn: sms.receiverMsisdn,
    receiver_is_stated: sms.receiverIsStated,
    sim_slot: sms.simSlot,
    client_message_id: sms.clientMessageId,
    received_at: sms.receivedAt,
    ingested_at: sms.ingestedAt,
    ...columnsOf(sms.reading),
    authenticity: sms.authenticity,
  };
}

/** The parsed values as columns. */
export function columnsOf(reading: Parsed | Unparsed): Record<string, unknown> {
  const facts = reading.status === 'PARSED' ? reading : reading.facts;
  return {
    parser_version: PARSER_VERSION,
    provider: reading.provider,
    kind: facts?.kind,
    direction: facts?.direction,
    payment_method: reading.status === 'PARSED' ? reading.paymentMethod : null,
    provider_time: facts?.providerTime,
    parsed_amount: facts?.amount?.toString(),
    parsed_fee: facts?.fee?.toString(),
    parsed_commission: facts?.commission?.toString(),
    parsed_balance: facts?.balance?.toString(),
    parsed_trx_id: facts?.trxId,
    parsed_reference: facts?.reference,
    parsed_sender_msisdn: facts?.senderMsisdn,
    parsed_recipient_msisdn: facts?.recipientMsisdn,
    signals: reading.signals,
    status: reading.status,
    failure_reason: reading.status === 'UNPARSED' ? reading.reason : null,
  };
}

export interface UndecidedSms extends Tenant {
  readonly oldest: Date;
}

/** Per tenant, the time of ingestion of the oldest undecided SMS. */
export const undecidedSms = rows<UndecidedSms>(
  'undecided-sms-events',
  // One look-up per tenant in the index of undecided events, however many of them wait.
  `with recursive tenant as (
     (select merchant_id, environment, ingested_at as oldest from sms_events where status = 'PARSED'
      order by merchant_id, environment, ingested_at limit 1)
     union all
     select further.* from tenant cross join lateral (
       select merchant_id, environment, ingested_at from sms_events
       where status = 'PARSED' and (merchant_id, environment) > (tenant.merchant_id, tenant.environment)
       order by merchant_id, environment, ingested_at limit 1) as further
   )
   select merchant_id as "merchantId", environment, oldest from tenant`,
);

export interface SmsState {
  readonly id: string;
  readonly status: SmsStatus;
  readonly matchStatus: MatchStatus | null;
  readonly paymentIntentId: string | null;
}

/** The state of those among the events that belong to the tenant, in no particular order. */
export const findStatus = rows<SmsState, [tenant: Tenant, ids: readonly string[]]>(
  'find-sms-status',
  `select id, status, match_status as "matchStatus", payment_intent_id as "paymentIntentId" from sms_events
   where id = any($1::uuid[]) and merchant_id = $2 and environment = $3`,
  (tenant, ids) => [ids, tenant.merchantId, tenant.environment],
);
