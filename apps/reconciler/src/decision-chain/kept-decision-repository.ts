import type { Environment, Tenant } from '@pay/contracts';
import { FIRST_ID, firstRow, mapped, statement, type Queryable } from '@pay/persistence';

/** A stored decision, signatures in hex. Do not trust its values before it is verified. */
export interface KeptDecision {
  readonly id: string;
  readonly merchantId: string;
  readonly environment: Environment;
  readonly matchId: string;
  readonly smsEventId: string | null;
  readonly paymentIntentId: string | null;
  readonly record: string;
  readonly keyId: string;
  readonly mac: string;
  /** In poisha; 0 when it made no intent PAID. Null: stored by a version before this column. */
  readonly paidAmount: bigint | null;
  /** Null until it is sealed. */
  readonly position: bigint | null;
  readonly linkKeyId: string | null;
  readonly link: string | null;
}

export interface DecisionRow extends Omit<KeptDecision, 'paidAmount' | 'position'> {
  readonly paidAmount: string | null;
  readonly position: string | null;
}

export const COLUMNS = `id, merchant_id as "merchantId", environment, match_id as "matchId", sms_event_id as "smsEventId",
  payment_intent_id as "paymentIntentId", record, key_id as "keyId", encode(mac, 'hex') as mac, paid_amount as "paidAmount", position,
  link_key_id as "linkKeyId", encode(link, 'hex') as link`;

export const sealedAfter = mapped(toDecision).rows<[tenant: Tenant, position: bigint, limit: number]>(
  'sealed-decisions-after',
  `select ${COLUMNS} from decisions
   where merchant_id = $1 and environment = $2 and position is not null and position > $3 order by position limit $4`,
  ({ merchantId, environment }, position, limit) => [merchantId, environment, position.toString(), limit],
);

/** Decisions that no worker has linked yet: about one second. */
export const unsealedAfter = mapped(toDecision).rows<[tenant: Tenant, id: string, limit: number]>(
  'unsealed-decisions-after',
  `select ${COLUMNS} from decisions where merchant_id = $1 and environment = $2 and position is null and id > $3 order by id limit $4`,
  ({ merchantId, environment }, id, limit) => [merchantId, environment, id, limit],
);

/** Decisions about an intent, and all others about the same SMS, oldest first. */
export const decisionsOfIntent = mapped(toDecision).rows<[tenant: Tenant, intentId: string, limit: number]>(
  'decisions-of-intent',
  // Finds the matches of an intent, and all decisions about those matches.
  `select ${COLUMNS} from decisions
   where merchant_id = $1 and environment = $2 and match_id in (
     select match_id from decisions where payment_intent_id = $3 and merchant_id = $1 and environment = $2)
   order by decided_at, id limit $4`,
  ({ merchantId, environment }, intentId, limit) => [merchantId, environment, intentId, limit],
);

export function toDecision(row: DecisionRow): KeptDecision {
  return {
    ...row,
    paidAmount: row.paidAmount === null ? null : BigInt(row.paidAmount),
    position: row.position === null ? null : BigInt(row.position),
  };
}

const STATES = statement(
  'match-states',
  `select id, sms_sequence as "smsSequence", status, reason, payment_intent_id as "paymentIntentId"
   from matches where id = any($1::uuid[])`,
);

/** The current state of a match in the working record. */
export interface MatchState {
  readonly id: string;
  readonly smsSequence: number;
  readonly status: string;
  readonly reason: string;
  readonly paymentIntentId: string | null;
}

export async function matchStates(db: Queryable, ids: readonly string[]): Promise<Map<string, MatchState>> {
  const rows = await db.query<MatchState>(STATES, [ids]);
  return new Map(rows.map((row) => [row.id, row]));
}

/** The next tenant that has decisions, a chain head, or records that require decisions. */
export const nextChainOf = firstRow<Tenant, [after: Tenant | undefined]>(
  'next-decision-chain',
  `select merchant_id as "merchantId", environment from (
     (select merchant_id, environment from decision_chains where (merchant_id, environment) > ($1::uuid, $2::text)
      order by merchant_id, environment limit 1)
     union all
     (select merchant_id, environment from decisions where position is not null and (merchant_id, environment) > ($1::uuid, $2::text)
      order by merchant_id, environment limit 1)
     union all
     (select merchant_id, environment from decisions where position is null and (merchant_id, environment) > ($1::uuid, $2::text)
      order by merchant_id, environment limit 1)
     union all
     (select merchant_id, environment from evidence where (merchant_id, environment) > ($1::uuid, $2::text)
      order by merchant_id, environment limit 1)
     union all
     (select merchant_id, environment from intents where (merchant_id, environment) > ($1::uuid, $2::text)
      order by merchant_id, environment limit 1)) as known
   order by merchant_id, environment limit 1`,
  (after) => [after?.merchantId ?? FIRST_ID, after?.environment ?? ''],
);
