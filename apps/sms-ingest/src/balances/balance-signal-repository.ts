import { BALANCE_BREAK, type SmsSignal } from '@pay/contracts';
import { statement, type Transaction } from '@pay/persistence';

// Locked in id order, as when decisions are applied. Only evidence was published with its signals.
const CHANGE = statement(
  'change-balance-signals',
  `with locked as (
     select id from sms_events where id = any($1::uuid[]) order by id for update
   )
   update sms_events as event
   set signals = (select coalesce(jsonb_agg(signal), '[]') from jsonb_array_elements(coalesce(event.signals, '[]')) as signal
                  where signal->>'name' <> $3) || given.added,
       announced_sequence = event.announced_sequence + case when event.payment_method is null then 0 else 1 end,
       passed_over_at = case when given.is_passed_over then $5::timestamptz end
   from unnest($1::uuid[], $2::jsonb[], $4::boolean[]) as given (id, added, is_passed_over) join locked on locked.id = given.id
   where event.id = any($1::uuid[]) and event.id = given.id
   returning event.id, event.signals, event.announced_sequence, event.payment_method is not null as is_evidence`,
);

/**
 * `passed_over`: the surrounding texts skip it. `does_not_follow`: no earlier text leads to it yet, or it leads to no
 * later one.
 */
export type BreakDetail = 'passed_over' | 'does_not_follow';

export interface ChangedSignals {
  readonly smsEventId: string;
  readonly signals: SmsSignal[];
  /** The sequence of the announcement of this change. */
  readonly sequence: number;
}

/** Sets, changes or removes the signal `balance_break`; returns the changes to publish. */
export async function changeBalanceSignals(
  tx: Transaction,
  changes: readonly { readonly id: string; readonly detail: BreakDetail | null }[],
  at: Date,
): Promise<ChangedSignals[]> {
  if (changes.length === 0) return [];
  const added = changes.map(({ detail }) => JSON.stringify(detail === null ? [] : [{ name: BALANCE_BREAK, detail }]));
  const rows = await tx.query<{ id: string; signals: SmsSignal[]; announced_sequence: number; is_evidence: boolean }>(
    CHANGE,
    [changes.map(({ id }) => id), added, BALANCE_BREAK, changes.map(({ detail }) => detail === 'passed_over'), at],
  );
  return rows
    .filter((row) => row.is_evidence)
    .map((row) => ({ smsEventId: row.id, signals: row.signals, sequence: row.announced_sequence }));
}
