import type { SubmissionNumbers, Tenant } from '@pay/contracts';
import { arraysOf, inTransaction, mapped, oldRowsInOrder, rows, type OldRows } from '@pay/persistence';

/** `submittedAt`: SQL of the time of the submission. */
const claimColumns = (submittedAt: string) => `id, merchant_id as "merchantId", environment,
  intent_id as "intentId", trx_id as "trxId", ${submittedAt} as "submittedAt", payer_digits as "payerDigits"`;

/** With SQL of the first and the last number of the submissions. */
export const submissionColumns = (submittedAt: string, first: string, last: string) =>
  `${claimColumns(submittedAt)}, jsonb_build_object('first', ${first}, 'last', ${last}) as "submissionNumbers"`;

const LATEST = 'coalesce(resubmitted_at, submitted_at)';

export interface Claim extends Tenant {
  readonly id: string;
  readonly intentId: string;
  readonly trxId: string;
  /** When the latest submission arrived. */
  readonly submittedAt: Date;
  readonly payerDigits: string | undefined;
  /** Absent: not stored, because it cannot change the decision. */
  readonly submissionNumbers?: SubmissionNumbers;
}

export type Submission = Claim & Required<Pick<Claim, 'submissionNumbers'>>;

/**
 * Returns the stored claims; a repeat is stored only if it may change the decision, and the row keeps the first and the
 * latest time. `repeated`: intents whose repeats are stored, because another TrxID is submitted in this transaction.
 */
export const storeSubmissions = inTransaction.mapped(toClaim<SubmissionRow>).rows(
  'submit-claims',
  // Sorted by the unique key: two groups that share claims wait for each other instead of deadlocking. Claims are
  // decided by the minute, so a repeat in the same minute with the same digits changes nothing, unless the customer has
  // entered another TrxID since: the reconciler may have dropped the claim.
  `insert into claims as claim (id, merchant_id, environment, intent_id, trx_id, submitted_at, payer_digits)
   select id, merchant_id, environment, intent_id, trx_id, submitted_at, payer_digits
   from unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[], $5::text[], $6::timestamptz[], $7::text[])
     as given (id, merchant_id, environment, intent_id, trx_id, submitted_at, payer_digits)
   order by intent_id, trx_id
   on conflict on constraint claims_one_per_intent_and_trx_id do update
   set submitted_at = least(excluded.submitted_at, claim.submitted_at),
     resubmitted_at = greatest(excluded.submitted_at, claim.resubmitted_at, claim.submitted_at),
     submissions = claim.submissions + 1,
     payer_digits = case when excluded.submitted_at > coalesce(claim.resubmitted_at, claim.submitted_at)
       then coalesce(excluded.payer_digits, claim.payer_digits)
       else coalesce(claim.payer_digits, excluded.payer_digits) end,
     state = 'undecided', outcome = null, judged_at = null, sms_event_id = null,
     decision_epoch = null, decision_sequence = null
   where claim.outcome is distinct from 'matched' and case
     when excluded.submitted_at > coalesce(claim.resubmitted_at, claim.submitted_at) then
       date_trunc('minute', excluded.submitted_at) > date_trunc('minute', coalesce(claim.resubmitted_at, claim.submitted_at))
       or coalesce(excluded.payer_digits, claim.payer_digits) is distinct from claim.payer_digits
       or claim.intent_id = any($8::uuid[])
       or exists (select from claims other where other.intent_id = claim.intent_id
         and coalesce(other.resubmitted_at, other.submitted_at) > coalesce(claim.resubmitted_at, claim.submitted_at))
     when excluded.submitted_at < coalesce(claim.resubmitted_at, claim.submitted_at) then
       excluded.submitted_at < claim.submitted_at
       or date_trunc('minute', excluded.submitted_at) > date_trunc('minute', claim.submitted_at)
       or (claim.payer_digits is null and excluded.payer_digits is not null)
     else false end
   returning ${submissionColumns(LATEST, 'submissions', 'submissions')}`,
  (claims: readonly Claim[], repeated: readonly string[]) => [
    ...arraysOf(claims, 'id', 'merchantId', 'environment', 'intentId', 'trxId', 'submittedAt'),
    claims.map((claim) => claim.payerDigits ?? null),
    repeated,
  ],
);

type RowOf<C extends Claim> = Omit<C, 'payerDigits'> & { readonly payerDigits: string | null };
export type SubmissionRow = RowOf<Submission>;

export const findClaim = mapped(toClaim<RowOf<Claim>>).firstRow<[intentId: string, trxId: string]>(
  'find-claim',
  `select ${claimColumns(LATEST)} from claims where intent_id = $1 and trx_id = $2`,
);

export function toClaim<Row extends RowOf<Claim>>(row: Row): Omit<Row, 'payerDigits'> & Pick<Claim, 'payerDigits'> {
  return { ...row, payerDigits: row.payerDigits ?? undefined };
}

export interface ClaimDecision {
  readonly claimId: string;
  /** Null if the event had no epoch. */
  readonly epoch: number | null;
  readonly sequence: number;
  readonly state: 'waiting' | 'settled';
  readonly outcome: string;
  readonly smsEventId: string | null;
  readonly decidedAt: string;
  /** The latest decided submission; null from a reconciler that does not report it. */
  readonly submittedAt: string | null;
  /** Number of decided submissions; null from a reconciler that does not count them. */
  readonly submissions: number | null;
}

/** SQL: a decided claim keeps the newest decision, whatever it includes. */
const ifIncludesAll = (column: string) => `${column} = case
  when claim.state <> 'undecided' or decided.submissions is null or decided.submissions >= claim.submissions
  then decided.${column} else claim.${column} end`;

/**
 * An undecided claim is decided only by a decision that includes every stored submission; of another one, only the
 * sequence is stored. Of several decisions, the newest is kept.
 */
export const storeClaimDecisions = inTransaction.command(
  'store-claim-decisions',
  // `any(array[…])` forces a look-up of each row by its key. A decision that the previous version stored has no
  // sequence and is replaced by any other.
  `update claims as claim
   set ${['state', 'outcome', 'sms_event_id', 'judged_at'].map(ifIncludesAll).join(', ')},
     decision_epoch = coalesce(decided.epoch, claim.decision_epoch), decision_sequence = decided.sequence
   from unnest($1::uuid[], $2::text[], $3::text[], $4::uuid[], $5::timestamptz[], $6::timestamptz[], $7::int[], $8::int[],
     $9::int[]) as decided (id, state, outcome, sms_event_id, judged_at, submitted_at, epoch, sequence, submissions)
   where claim.id = any(array[decided.id])
     and (decided.submitted_at is null or decided.submitted_at >= coalesce(claim.resubmitted_at, claim.submitted_at))
     and (claim.decision_sequence is null
       or case when claim.decision_epoch <> decided.epoch then claim.decision_epoch < decided.epoch
         when claim.state = 'undecided' then claim.decision_sequence <= decided.sequence
         else claim.decision_sequence < decided.sequence end)`,
  (decisions: readonly ClaimDecision[]) => {
    const ordered = decisions.toSorted((a, b) => (a.claimId < b.claimId ? -1 : 1));
    return arraysOf(
      ordered,
      'claimId',
      'state',
      'outcome',
      'smsEventId',
      'decidedAt',
      'submittedAt',
      'epoch',
      'sequence',
      'submissions',
    );
  },
);

// One look-up per tenant in the index, whatever the number of waiting claims.
const oldestPerTenant = (condition: string) => `with recursive tenant as (
     (select merchant_id, environment from claims where state = 'undecided' order by merchant_id, environment limit 1)
     union all
     select further.* from tenant cross join lateral (
       select merchant_id, environment from claims
       where state = 'undecided' and (merchant_id, environment) > (tenant.merchant_id, tenant.environment)
       order by merchant_id, environment limit 1) as further
   )
   select merchant_id as "merchantId", environment, oldest from tenant cross join lateral (
     select submitted_at as oldest from claims
     where merchant_id = tenant.merchant_id and environment = tenant.environment and state = 'undecided' ${condition}
     order by submitted_at limit 1) as waiting`;

export interface UndecidedClaims extends Tenant {
  readonly oldest: Date;
}

/** Contains the time of the oldest undecided claim of each tenant. */
export const undecidedClaims = rows<UndecidedClaims>('undecided-claims', oldestPerTenant(''));

/** Contains the oldest undecided claim of each tenant that expiry waits for. */
export const claimsThatDelayExpiry = rows<UndecidedClaims>(
  'claims-that-delay-expiry',
  // A claim without a decision must not stop expiry forever. A day is longer than any outage that delays the decision
  // about a timely claim.
  oldestPerTenant(`and (submitted_at > now() - interval '1 day' or resubmitted_at > now() - interval '15 minutes')`),
);

/**
 * Uses the latest submission, because the reconciler keeps a claim according to it. Skips claims that are locked for a
 * decision; a later sweep deletes them.
 */
export function oldClaims(before: Date): OldRows {
  return oldRowsInOrder({
    table: 'claims',
    order: 'submitted_at',
    orderType: 'timestamptz',
    before,
    values: [before],
    deletable: 'coalesce(old.resubmitted_at, old.submitted_at) < $4::timestamptz',
  });
}
