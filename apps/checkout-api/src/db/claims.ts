import type { Environment, Tenant } from '@pay/contracts';
import { statement, type Queryable, type Transaction } from '@pay/persistence';

export interface Claim extends Tenant {
  readonly id: string;
  readonly intentId: string;
  readonly trxId: string;
  readonly submittedAt: Date;
}

// Sorted by the unique key: two groups that share claims wait for each other instead of deadlocking.
const INSERT = statement(
  'insert-claims',
  `insert into claims (id, merchant_id, environment, intent_id, trx_id, submitted_at)
   select id, merchant_id, environment, intent_id, trx_id, submitted_at
   from unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[], $5::text[], $6::timestamptz[])
     as given (id, merchant_id, environment, intent_id, trx_id, submitted_at)
   order by intent_id, trx_id
   on conflict on constraint claims_one_per_intent_and_trx_id do nothing
   returning id`,
);

/** Stores the claims that nobody has made before, and answers their ids. */
export async function insertClaims(tx: Transaction, claims: readonly Claim[]): Promise<Set<string>> {
  const rows = await tx.query<{ id: string }>(INSERT, [
    claims.map((claim) => claim.id),
    claims.map((claim) => claim.merchantId),
    claims.map((claim) => claim.environment),
    claims.map((claim) => claim.intentId),
    claims.map((claim) => claim.trxId),
    claims.map((claim) => claim.submittedAt),
  ]);
  return new Set(rows.map((row) => row.id));
}

const FIND = statement(
  'find-claim',
  `select id, merchant_id, environment, intent_id, trx_id, submitted_at from claims where intent_id = $1 and trx_id = $2`,
);

interface ClaimRow {
  readonly id: string;
  readonly merchant_id: string;
  readonly environment: Environment;
  readonly intent_id: string;
  readonly trx_id: string;
  readonly submitted_at: Date;
}

export async function findClaim(db: Queryable, intentId: string, trxId: string): Promise<Claim | undefined> {
  const [row] = await db.query<ClaimRow>(FIND, [intentId, trxId]);
  return (
    row && {
      id: row.id,
      merchantId: row.merchant_id,
      environment: row.environment,
      intentId: row.intent_id,
      trxId: row.trx_id,
      submittedAt: row.submitted_at,
    }
  );
}

export interface Judgement {
  readonly claimId: string;
  readonly state: 'waiting' | 'settled';
  readonly outcome: string;
  readonly smsEventId: string | null;
  readonly judgedAt: string;
}

// By `any(array[…])` each row is looked up by its key; the planner has no other choice.
const JUDGE = statement(
  'judge-claims',
  `update claims as claim
   set state = judged.state, outcome = judged.outcome, sms_event_id = judged.sms_event_id, judged_at = judged.judged_at
   from unnest($1::uuid[], $2::text[], $3::text[], $4::uuid[], $5::timestamptz[])
     as judged (id, state, outcome, sms_event_id, judged_at)
   where claim.id = any(array[judged.id])
     and claim.state <> 'settled' and (claim.state = 'undecided' or judged.state = 'settled')`,
);

/** Writes at most one judgement per claim. A settled claim never changes; one that waits can only be settled. */
export async function judgeClaims(tx: Transaction, judgements: readonly Judgement[]): Promise<void> {
  const ordered = judgements.toSorted((a, b) => (a.claimId < b.claimId ? -1 : 1));
  await tx.execute(JUDGE, [
    ordered.map((judgement) => judgement.claimId),
    ordered.map((judgement) => judgement.state),
    ordered.map((judgement) => judgement.outcome),
    ordered.map((judgement) => judgement.smsEventId),
    ordered.map((judgement) => judgement.judgedAt),
  ]);
}

const UNDECIDED = statement(
  'undecided-claims',
  `select merchant_id, environment, min(submitted_at) as oldest from claims where state = 'undecided'
   group by merchant_id, environment`,
);

export interface UndecidedClaims extends Tenant {
  readonly oldest: Date;
}

/** Per tenant, when the oldest claim was submitted that the reconciler has not judged. */
export async function undecidedClaims(db: Queryable): Promise<UndecidedClaims[]> {
  const rows = await db.query<{ merchant_id: string; environment: Environment; oldest: Date }>(UNDECIDED);
  return rows.map((row) => ({ merchantId: row.merchant_id, environment: row.environment, oldest: row.oldest }));
}
