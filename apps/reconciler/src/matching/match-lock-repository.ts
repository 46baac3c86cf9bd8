import type { Poisha, Provider, SmsSignal } from '@pay/contracts';
import { statement, type Transaction } from '@pay/persistence';
import type { Match } from '../domain/working-set';
import type { EarlySignals, Evidence } from '../domain/facts';
import { evidenceStateOf } from '../domain/lifecycle';
import type { RowOf } from './columns';
import { EVIDENCE_COLUMNS, type EvidenceAlone } from './evidence-repository';
import { MATCH_COLUMNS } from './match-repository';
import { tenantArrays, type TenantName } from './tenant-arrays';

type MatchRow = RowOf<Match>;

interface EvidenceRow extends Omit<RowOf<EvidenceAlone>, 'provider'> {
  /** Null: the match has no evidence. */
  readonly provider: Provider | null;
  readonly evidenceRevision: number;
}

interface EarlyRow {
  readonly wanted_id: string;
  readonly early_signals: readonly SmsSignal[] | null;
  readonly early_sequence: number | null;
  readonly early_epoch: number | null;
}

/**
 * Limit of unused texts that are decided with one intent: a shop whose customers all enter `rent` may have thousands.
 * Payable texts come first, the oldest first, then the newest of the rest; others stay in review.
 */
export const MOST_OF_A_NAME = 500;

// Found by index, then locked in key order. The match is the lock of its evidence, because only the locked row is read
// again after a wait; the intent's status is checked after the look-up, or the planner would use the index of all open
// intents.
const LOCK = statement(
  'lock-matches',
  `select locked.*, wanted.sms_event_id as wanted_id, early.signals as early_signals, early.sequence as early_sequence,
     early.epoch as early_epoch from (
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
     from (
       select merchant_id, environment, reference_key, amount
       from unnest($9::uuid[], $10::text[], $11::text[], $12::bigint[]) as fresh (merchant_id, environment, reference_key, amount)
       union
       select named.merchant_id, named.environment, named.reference_key, intent.amount
       from unnest($5::uuid[], $6::text[], $7::text[]) as named (merchant_id, environment, reference_key)
       cross join lateral (
         select i.status, i.amount from intents i
         where i.merchant_id = named.merchant_id and i.environment = named.environment
           and i.reference_key = named.reference_key
         offset 0) intent
       where intent.status in ('PENDING', 'REVIEW_REQUIRED')
       union
       select intent.merchant_id, intent.environment, intent.reference_key, intent.amount
       from unnest($8::uuid[]) as known (intent_id)
       cross join lateral (
         select i.merchant_id, i.environment, i.reference_key, i.amount from intents i
         where i.id = known.intent_id offset 0) intent) as sought
     cross join lateral (
       select f.sms_event_id, f.ingested_at, f.amount = sought.amount and f.state = 'WAITING' as may_pay from evidence f
       where f.merchant_id = sought.merchant_id and f.environment = sought.environment
         and f.reference_key = sought.reference_key and f.state in ('WAITING', 'REVIEW', 'LAPSED')
       order by may_pay desc, case when f.amount = sought.amount and f.state = 'WAITING' then f.ingested_at end, f.ingested_at desc
       limit ${MOST_OF_A_NAME}) found
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
   left join lateral (
     select ${MATCH_COLUMNS.selectedFrom('m')}, ${EVIDENCE_COLUMNS.selectedFrom('e', { withTenant: false })},
       e.revision as "evidenceRevision"
     from matches m left join evidence e on e.sms_event_id = m.sms_event_id
     where m.sms_event_id = wanted.sms_event_id for update of m) as locked on true
   left join lateral (
     select s.signals, s.sequence, s.epoch from early_signals s where s.sms_event_id = wanted.sms_event_id offset 0) as early on true
   where locked.id is not null or early.sequence is not null`,
);

/** The name and amount of an intent that has arrived. */
export interface NewReference extends TenantName {
  readonly amount: Poisha;
}

export interface WantedMatches {
  readonly smsEventIds: readonly string[];
  readonly trxIds: readonly TenantName[];
  /**
   * Unused evidence whose TrxID is claimed for these named intents, and other evidence of those that are open. Names
   * without an open intent, such as `rent`, may have any number of unrelated texts.
   */
  readonly references: readonly TenantName[];
  /** Unused evidence with these names, for which no intent may be stored yet. */
  readonly newReferences: readonly NewReference[];
  /** Unused evidence that names these intents or whose TrxID is claimed for them. */
  readonly intentIds: readonly string[];
}

export interface FoundMatches {
  readonly found: readonly { readonly match: Match; readonly evidence: Evidence | undefined }[];
  /** Changed by the previous lock holder: they must be read again. */
  readonly stale: readonly string[];
  readonly early: readonly EarlySignals[];
}

/** Locks matches with their evidence. */
export async function lockMatches(
  tx: Transaction,
  { smsEventIds, trxIds, references, newReferences, intentIds }: WantedMatches,
): Promise<FoundMatches> {
  const names = [...trxIds, ...references, ...newReferences];
  if (smsEventIds.length + names.length + intentIds.length === 0) return { found: [], stale: [], early: [] };
  const values = [
    smsEventIds,
    ...tenantArrays(trxIds),
    ...tenantArrays(references),
    intentIds,
    ...tenantArrays(newReferences),
    newReferences.map(({ amount }) => amount.toString()),
  ];
  const rows = await tx.query<(MatchRow & EvidenceRow & EarlyRow) | (EarlyRow & { readonly id: null })>(LOCK, values);
  const locked = rows.filter((row) => row.id !== null);
  return {
    found: locked
      .filter((row) => !isStale(row))
      .map((row) => ({ match: MATCH_COLUMNS.toFact(row), evidence: toEvidence(row) })),
    stale: locked.filter(isStale).map((row) => row.smsEventId),
    early: rows.flatMap((row) =>
      row.early_signals === null || row.early_sequence === null
        ? []
        : [
            {
              smsEventId: row.wanted_id,
              signals: row.early_signals,
              sequence: row.early_sequence,
              epoch: row.early_epoch ?? undefined,
            },
          ],
    ),
  };
}

/** After a lock wait only the match row is read again; joined rows may be outdated. */
function isStale(row: MatchRow & EvidenceRow): boolean {
  return row.provider !== null && row.revision !== row.evidenceRevision;
}

function toEvidence(row: MatchRow & EvidenceRow): Evidence | undefined {
  const { smsEventId, factsSequence, revision } = row;
  const state = evidenceStateOf({ status: row.status, windowEndedAt: row.windowEndedAt ?? undefined });
  if (row.provider === null || state === undefined) return undefined;
  const factsEpoch = row.factsEpoch ?? undefined;
  return {
    ...EVIDENCE_COLUMNS.toFact(row as MatchRow & RowOf<EvidenceAlone>),
    smsEventId,
    state,
    factsSequence,
    factsEpoch,
    revision,
  };
}
