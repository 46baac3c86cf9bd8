import type { Checks, Environment, MatchPath, MatchStatus, PaymentMethod, Poisha, Provider } from '@pay/contracts';
import { statement, type Transaction } from '@pay/persistence';
import type { Match } from '../domain/docket';
import type { Evidence } from '../domain/facts';
import { evidenceStateOf } from '../domain/lifecycle';
import type { Candidate } from '../domain/match';
import { changingAll } from './changing-all';
import { tenantArrays, type TenantName } from './tenant-arrays';

interface MatchRow {
  readonly id: string;
  readonly merchant_id: string;
  readonly environment: Environment;
  readonly sms_event_id: string;
  readonly payment_intent_id: string | null;
  readonly path: MatchPath | null;
  readonly status: MatchStatus;
  readonly reason: string;
  readonly checks: Checks | null;
  readonly paid_in_time: boolean | null;
  readonly expected_amount: string | null;
  readonly received_amount: string | null;
  readonly candidates: readonly Candidate[];
  readonly sms_sequence: number;
  readonly created_at: Date;
  readonly window_ended_at: Date | null;
  readonly resolved_at: Date | null;
}

interface EvidenceRow {
  readonly provider: Provider | null;
  readonly method: PaymentMethod;
  readonly trx_id: string;
  readonly reference_key: string | null;
  readonly amount: string;
  readonly receiver_account_id: string | null;
  readonly receiver_msisdn: string | null;
  readonly provider_time: Date;
  readonly ingested_at: Date;
}

const COLUMNS = `id, merchant_id, environment, sms_event_id, payment_intent_id, path, status, reason, checks, paid_in_time,
  expected_amount, received_amount, candidates, sms_sequence, created_at, window_ended_at, resolved_at`;
const QUALIFIED = COLUMNS.replaceAll(/\b[a-z_]+\b/g, (column) => `m.${column}`);

// Found by index first, then locked by one key in one order. The match is the lock of its evidence: they only change together, and the
// state of the evidence is read from the match, because only the locked row is read anew after a wait.
const LOCK = statement(
  'lock-matches',
  `select locked.* from (
     select unnest($1::uuid[]) as sms_event_id
     union
     select found.sms_event_id
     from unnest($2::uuid[], $3::text[], $4::text[]) as named (merchant_id, environment, trx_id)
     cross join lateral (
       select f.sms_event_id from evidence f
       where f.merchant_id = named.merchant_id and f.environment = named.environment and f.trx_id = named.trx_id
       offset 0) found
     union
     select found.sms_event_id
     from unnest($5::uuid[], $6::text[], $7::text[]) as named (merchant_id, environment, reference_key)
     cross join lateral (
       select f.sms_event_id from evidence f
       where f.merchant_id = named.merchant_id and f.environment = named.environment
         and f.reference_key = named.reference_key and f.state in ('WAITING', 'REVIEW', 'LAPSED')
       offset 0) found
     union
     select found.sms_event_id
     from unnest($8::uuid[]) as known (intent_id)
     cross join lateral (
       select i.merchant_id, i.environment, i.reference_key from intents i where i.id = known.intent_id offset 0) named
     cross join lateral (
       select f.sms_event_id from evidence f
       where f.merchant_id = named.merchant_id and f.environment = named.environment
         and f.reference_key = named.reference_key and f.state in ('WAITING', 'REVIEW', 'LAPSED')
       offset 0) found
     union
     select found.sms_event_id
     from (
       select unnest($8::uuid[]) as intent_id
       union
       select i.id
       from unnest($5::uuid[], $6::text[], $7::text[]) as named (merchant_id, environment, reference_key)
       cross join lateral (
         select i.id from intents i
         where i.merchant_id = named.merchant_id and i.environment = named.environment
           and i.reference_key = named.reference_key
         offset 0) i) as claimed
     cross join lateral (
       select c.merchant_id, c.environment, c.trx_id from claims c
       where c.payment_intent_id = claimed.intent_id and c.state = 'OPEN'
       offset 0) claim
     cross join lateral (
       select f.sms_event_id from evidence f
       where f.merchant_id = claim.merchant_id and f.environment = claim.environment and f.trx_id = claim.trx_id
         and f.state in ('WAITING', 'REVIEW', 'LAPSED')
       offset 0) found
     order by sms_event_id) as wanted
   cross join lateral (
     select ${QUALIFIED}, e.provider, e.method, e.trx_id, e.reference_key, e.amount, e.receiver_account_id,
       e.receiver_msisdn, e.provider_time, e.ingested_at
     from matches m left join evidence e on e.sms_event_id = m.sms_event_id
     where m.sms_event_id = wanted.sms_event_id for update of m) as locked`,
);

export interface WantedMatches {
  readonly smsEventIds: readonly string[];
  readonly trxIds: readonly TenantName[];
  /** Unspent evidence that names these, or whose TrxID is claimed for the intents that these name. */
  readonly references: readonly TenantName[];
  /** Unspent evidence that names these intents, or whose TrxID is claimed for them. */
  readonly intentIds: readonly string[];
}

/** Locks matches, each with the evidence it is about. */
export async function lockMatches(
  tx: Transaction,
  { smsEventIds, trxIds, references, intentIds }: WantedMatches,
): Promise<{ readonly match: Match; readonly evidence: Evidence | undefined }[]> {
  if (smsEventIds.length + trxIds.length + references.length + intentIds.length === 0) return [];
  const values = [smsEventIds, ...tenantArrays(trxIds), ...tenantArrays(references), intentIds];
  const rows = await tx.query<MatchRow & EvidenceRow>(LOCK, values);
  return rows.map((row) => ({ match: toMatch(row), evidence: toEvidence(row) }));
}

function toMatch(row: MatchRow): Match {
  return {
    id: row.id,
    tenant: { merchantId: row.merchant_id, environment: row.environment },
    smsEventId: row.sms_event_id,
    intentId: row.payment_intent_id ?? undefined,
    path: row.path ?? undefined,
    status: row.status,
    reason: row.reason,
    checks: row.checks ?? undefined,
    paidInTime: row.paid_in_time ?? undefined,
    expectedAmount: toPoisha(row.expected_amount),
    receivedAmount: toPoisha(row.received_amount),
    candidates: row.candidates,
    smsSequence: row.sms_sequence,
    createdAt: row.created_at,
    windowEndedAt: row.window_ended_at ?? undefined,
    resolvedAt: row.resolved_at ?? undefined,
  };
}

function toEvidence(row: MatchRow & EvidenceRow): Evidence | undefined {
  const state = evidenceStateOf({ status: row.status, windowEndedAt: row.window_ended_at ?? undefined });
  if (row.provider === null || state === undefined) return undefined;
  return {
    smsEventId: row.sms_event_id,
    tenant: { merchantId: row.merchant_id, environment: row.environment },
    provider: row.provider,
    method: row.method,
    trxId: row.trx_id,
    referenceKey: row.reference_key ?? undefined,
    amount: BigInt(row.amount) as Poisha,
    receiverAccountId: row.receiver_account_id ?? undefined,
    receiverMsisdn: row.receiver_msisdn ?? undefined,
    providerTime: row.provider_time,
    ingestedAt: row.ingested_at,
    state,
  };
}

function toPoisha(text: string | null): Poisha | undefined {
  return text === null ? undefined : (BigInt(text) as Poisha);
}

const INSERT = statement(
  'insert-matches',
  `insert into matches (${COLUMNS}, pays_intent_id, pays_sms_event_id)
   select ${COLUMNS}, pays_intent_id, pays_sms_event_id from jsonb_to_recordset($1::jsonb) as given (
     id uuid, merchant_id uuid, environment text, sms_event_id uuid, payment_intent_id uuid, path text, status text,
     reason text, checks jsonb, paid_in_time boolean, expected_amount bigint, received_amount bigint, candidates jsonb,
     sms_sequence integer, created_at timestamptz, window_ended_at timestamptz, resolved_at timestamptz, pays_intent_id uuid, pays_sms_event_id uuid)`,
);

export function insertMatches(tx: Transaction, matches: readonly Match[]): void {
  if (matches.length === 0) return;
  tx.enqueue(INSERT, [JSON.stringify(matches.map(fromMatch))]);
}

const UPDATE = statement(
  'update-matches',
  changingAll(
    'matches',
    `update matches m set payment_intent_id = given.payment_intent_id, path = given.path, status = given.status,
       reason = given.reason, checks = given.checks, paid_in_time = given.paid_in_time,
       expected_amount = given.expected_amount, received_amount = given.received_amount, candidates = given.candidates,
       sms_sequence = given.sms_sequence, window_ended_at = given.window_ended_at, resolved_at = given.resolved_at,
       pays_intent_id = given.pays_intent_id, pays_sms_event_id = given.pays_sms_event_id
     from jsonb_to_recordset($2::jsonb) as given (
       id uuid, was_sms_sequence integer, payment_intent_id uuid, path text, status text, reason text, checks jsonb,
       paid_in_time boolean, expected_amount bigint, received_amount bigint, candidates jsonb, sms_sequence integer,
       window_ended_at timestamptz, resolved_at timestamptz, pays_intent_id uuid, pays_sms_event_id uuid)
     where m.id = any($1::uuid[]) and m.id = given.id and m.sms_sequence = given.was_sms_sequence`,
  ),
);

/** Guarded by what the decision was made over. */
export function updateMatches(
  tx: Transaction,
  changes: readonly { readonly before: Match; readonly after: Match }[],
): void {
  if (changes.length === 0) return;
  const rows = changes.map(({ before, after }) => ({ ...fromMatch(after), was_sms_sequence: before.smsSequence }));
  tx.enqueue(UPDATE, [rows.map(({ id }) => id), JSON.stringify(rows)]);
}

function fromMatch(match: Match) {
  const pays = match.status === 'MATCHED';
  return {
    id: match.id,
    merchant_id: match.tenant.merchantId,
    environment: match.tenant.environment,
    sms_event_id: match.smsEventId,
    payment_intent_id: match.intentId ?? null,
    path: match.path ?? null,
    status: match.status,
    reason: match.reason,
    checks: match.checks ?? null,
    paid_in_time: match.paidInTime ?? null,
    expected_amount: match.expectedAmount?.toString() ?? null,
    received_amount: match.receivedAmount?.toString() ?? null,
    candidates: match.candidates,
    sms_sequence: match.smsSequence,
    created_at: match.createdAt,
    window_ended_at: match.windowEndedAt ?? null,
    resolved_at: match.resolvedAt ?? null,
    pays_intent_id: pays ? (match.intentId ?? null) : null,
    pays_sms_event_id: pays ? match.smsEventId : null,
  };
}
