import { MOST_OF_A_TRX_ID } from '../domain/competing-claims';

/**
 * SQL of the newest open claims of the TrxID that a row of `names` holds: their `id` and `payment_intent_id`. Claims
 * and their intents are locked by separate statements, which must find the same ones.
 */
export function newestOpenClaims(names: string): string {
  return `select open.id, open.payment_intent_id from (
       select c.id, c.payment_intent_id, coalesce(c.resubmitted_at, c.submitted_at) as latest_at from claims c
       where c.merchant_id = ${names}.merchant_id and c.environment = ${names}.environment and c.trx_id = ${names}.trx_id
         and c.state = 'OPEN'
       offset 0) open
     order by open.latest_at desc, open.id desc limit ${MOST_OF_A_TRX_ID}`;
}
