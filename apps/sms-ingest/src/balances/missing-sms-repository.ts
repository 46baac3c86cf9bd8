import { MISSING_SMS_ALERT_HOURS, type Environment, type Tenant } from '@pay/contracts';
import { enqueuedRows, inTransaction, rows, statement, type Transaction } from '@pay/persistence';
import type { Gap } from '../domain/balance-chain';
import type { KnownGap } from '../domain/gap-changes';
import type { BalanceChain } from './balance-chain-repository';

interface KnownRow {
  readonly id: string;
  readonly sms_event_id: string;
  readonly direction: 'IN' | 'OUT';
  readonly amount: string;
  readonly missing_from: Date;
  readonly missing_to: Date;
  readonly status: 'SUSPECTED' | 'OPEN';
}

/** The recorded gaps before these texts and places. */
export const knownGaps = inTransaction.mapped(toKnownGap).rows<[ids: readonly string[]]>(
  'known-gaps',
  `select id, sms_event_id, direction, amount, missing_from, missing_to, status from missing_sms
   where sms_event_id = any($1::uuid[]) and status <> 'EXPLAINED'`,
);

function toKnownGap(row: KnownRow): KnownGap {
  return {
    id: row.id,
    smsEventId: row.sms_event_id,
    isOpen: row.status === 'OPEN',
    amount: BigInt(row.amount) * (row.direction === 'IN' ? 1n : -1n),
    from: row.missing_from.getTime(),
    to: row.missing_to.getTime(),
  };
}

const CLOSE_SUSPECTED = statement(
  'close-suspected-gaps',
  `delete from missing_sms where id = any($1::uuid[]) and status = 'SUSPECTED'`,
);
const CLOSE_OPEN = statement(
  'explain-gaps',
  `update missing_sms set status = 'EXPLAINED', explained_at = $2 where id = any($1::uuid[]) and status = 'OPEN'`,
);

/** A gap that is explained before it was reported is deleted. */
export function closeGaps(tx: Transaction, ids: readonly string[], now: Date): void {
  if (ids.length === 0) return;
  tx.enqueue(CLOSE_SUSPECTED, [ids]);
  tx.enqueue(CLOSE_OPEN, [ids, now]);
}

/** A gap before the text `smsEventId`. */
interface GapOfText {
  readonly id: string;
  readonly smsEventId: string;
  readonly gap: Gap;
}

export const changeGaps = enqueuedRows(
  'change-gaps',
  // A new text arrived, so phones are asked again.
  `update missing_sms as missing set sms_event_id = given.sms_event_id, direction = given.direction, amount = given.amount,
     missing_from = given.missing_from, missing_to = given.missing_to, asked = 0
   from jsonb_to_recordset($2::jsonb) as given (id uuid, sms_event_id uuid, direction text, amount bigint, missing_from timestamptz,
     missing_to timestamptz)
   where missing.id = any($1::uuid[]) and missing.id = given.id`,
  (gaps: readonly GapOfText[]) => [gaps.map(({ id }) => id), JSON.stringify(gaps.map(fromGap))],
);

export const suspectGaps = enqueuedRows(
  'suspect-gaps',
  `insert into missing_sms (id, merchant_id, environment, chain_id, msisdn, receiver_account_ids, direction, amount, missing_from,
     missing_to, status, seen_at, sms_event_id)
   select id, $2, $3, $4, $5, $6::uuid[], direction, amount, missing_from, missing_to, 'SUSPECTED', $7, sms_event_id
   from jsonb_to_recordset($1::jsonb) as given (id uuid, sms_event_id uuid, direction text, amount bigint, missing_from timestamptz,
     missing_to timestamptz)`,
  (
    gaps: readonly GapOfText[],
    { merchantId, environment, id, msisdn }: BalanceChain,
    receiverAccountIds: readonly string[],
    now: Date,
  ) => [JSON.stringify(gaps.map(fromGap)), merchantId, environment, id, msisdn, receiverAccountIds, now],
);

function fromGap({ id, smsEventId, gap: { amount, from, to } }: GapOfText) {
  return {
    id,
    sms_event_id: smsEventId,
    direction: amount > 0n ? 'IN' : 'OUT',
    amount: (amount > 0n ? amount : -amount).toString(),
    missing_from: new Date(from),
    missing_to: new Date(to),
  };
}

export interface FoundGaps extends Tenant {
  readonly direction: 'IN' | 'OUT';
  readonly gaps: number;
}

/** Opens the gaps that were detected before a time and still exist; returns their number and tenants. */
export const openDueGaps = rows<FoundGaps, [seenBy: Date, now: Date, limit: number]>(
  'open-suspected-gaps',
  `with due as (
     select id from missing_sms where status = 'SUSPECTED' and seen_at <= $1 order by seen_at limit $3 for update skip locked
   ), opened as (
     update missing_sms as missing set status = 'OPEN', found_at = $2 from due where missing.id = due.id
     returning missing.merchant_id, missing.environment, missing.direction
   )
   select merchant_id as "merchantId", environment, direction, count(*)::int as gaps from opened
   group by merchant_id, environment, direction`,
);

export interface OpenGaps {
  readonly environment: Environment;
  readonly direction: 'IN' | 'OUT';
  readonly value: number;
}

/** The open gaps that were reported recently. */
export const countOpenGaps = rows<OpenGaps, [now: Date]>(
  'count-new-open-gaps',
  // A lost text leaves its gap open for years.
  `select environment, direction, count(*)::int as value from missing_sms
   where status = 'OPEN' and found_at > $1::timestamptz - interval '${MISSING_SMS_ALERT_HOURS} hours'
   group by environment, direction`,
);
