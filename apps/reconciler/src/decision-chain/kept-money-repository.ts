import type { IntentStatus, Tenant } from '@pay/contracts';
import { mapped, rows, statement, type Queryable } from '@pay/persistence';
import type { EvidenceState } from '../domain/facts';

/** Received money with its state in the working records. */
export interface MoneyState {
  readonly smsEventId: string;
  readonly trxId: string;
  readonly provider: string;
  readonly amount: bigint;
  readonly state: EvidenceState;
  readonly createdAt: Date;
  /** Null if no decision exists about it, which violates an invariant. */
  readonly matchId: string | null;
  readonly smsSequence: number;
  readonly paysIntentId: string | null;
  readonly intentStatus: IntentStatus | null;
  readonly intentAmount: bigint | null;
}

interface MoneyRow extends Omit<MoneyState, 'amount' | 'intentAmount'> {
  readonly amount: string;
  readonly intentAmount: string | null;
}

/** All received money of a tenant, in pages, in primary key order. */
export const moneyAfter = mapped(toMoney).rows(
  'money-after',
  `select e.sms_event_id as "smsEventId", e.trx_id as "trxId", e.provider, e.amount, e.state, e.ingested_at as "createdAt",
     m.id as "matchId", coalesce(m.sms_sequence, 0) as "smsSequence", m.pays_intent_id as "paysIntentId",
     i.status as "intentStatus", i.amount as "intentAmount"
   from evidence e left join matches m on m.sms_event_id = e.sms_event_id left join intents i on i.id = m.pays_intent_id
   where e.merchant_id = $1 and e.environment = $2 and (e.trx_id, e.provider) > ($3, $4)
   order by e.trx_id, e.provider limit $5`,
  ({ merchantId, environment }: Tenant, last: Pick<MoneyState, 'trxId' | 'provider'> | undefined, limit: number) => [
    merchantId,
    environment,
    last?.trxId ?? '',
    last?.provider ?? '',
    limit,
  ],
);

function toMoney(row: MoneyRow): MoneyState {
  return {
    ...row,
    amount: BigInt(row.amount),
    intentAmount: row.intentAmount === null ? null : BigInt(row.intentAmount),
  };
}

/** An intent whose status was decided, and the match that pays it. */
export interface DecidedIntent {
  readonly id: string;
  readonly referenceKey: string;
  readonly status: IntentStatus;
  readonly decisionSequence: number;
  readonly createdAt: Date;
  readonly paidBy: string | null;
}

export const intentsAfter = rows<
  DecidedIntent,
  [tenant: Tenant, last: Pick<DecidedIntent, 'referenceKey'> | undefined, limit: number]
>(
  'intents-after',
  `select i.id, i.reference_key as "referenceKey", i.status, i.decision_sequence as "decisionSequence", i.created_at as "createdAt",
     m.id as "paidBy"
   from intents i left join matches m on m.pays_intent_id = i.id
   where i.merchant_id = $1 and i.environment = $2 and i.reference_key > $3 order by i.reference_key limit $4`,
  ({ merchantId, environment }, last, limit) => [merchantId, environment, last?.referenceKey ?? '', limit],
);

/** The signed content at one position in the decisions about a match or an intent. */
export interface SignedDecision {
  readonly id: string;
  readonly record: string;
  readonly keyId: string;
  readonly mac: string;
}

export interface Counted {
  readonly id: string;
  readonly sequence: number;
}

// The record is text, so that the signed bytes are preserved. It is verified before it is parsed.
const madeAbout = (part: 'sms' | 'intent', column: 'match_id' | 'payment_intent_id') =>
  statement(
    `decisions-that-moved-${part}`,
    `select given.id as about, d.id, d.record, d.key_id as "keyId", encode(d.mac, 'hex') as mac
     from unnest($3::uuid[], $4::integer[]) as given (id, sequence)
     cross join lateral (
       select * from decisions where ${column} = given.id and merchant_id = $1 and environment = $2 offset 0) d
     where (d.record::jsonb -> '${part}' ->> 'sequence')::integer = given.sequence`,
  );
const MOVED_SMS = madeAbout('sms', 'match_id');
const MOVED_INTENT = madeAbout('intent', 'payment_intent_id');

/** The decision that led to the current state of each match or intent. */
export async function decisionsThatMoved(
  db: Queryable,
  { merchantId, environment }: Tenant,
  part: 'sms' | 'intent',
  given: readonly Counted[],
): Promise<ReadonlyMap<string, SignedDecision>> {
  if (given.length === 0) return new Map();
  const values = [merchantId, environment, given.map(({ id }) => id), given.map(({ sequence }) => sequence)];
  const rows = await db.query<SignedDecision & { readonly about: string }>(
    part === 'sms' ? MOVED_SMS : MOVED_INTENT,
    values,
  );
  return new Map(rows.map((row) => [row.about, row]));
}
