import { inTransaction } from '@pay/persistence';
import { CLAIM_COLUMNS, toClaim } from './claim-repository';

/**
 * Returns claims without a decision `waitMs` after their last submission or publication, oldest first, and records that
 * they are published again.
 */
export const takeStuckClaims = inTransaction.mapped(toClaim).rows<[waitMs: number, limit: number]>(
  'take-stuck-claims',
  // Uses the index `claims_undecided`. The wait doubles, so that a missing decision causes a dozen events on the first
  // day and then about one a day.
  `update claims as claim set reannounced_at = clock_timestamp()
   where id = any(array(
     select id from claims
     cross join lateral (select coalesce(resubmitted_at, submitted_at) as since) as submission
     where state = 'undecided' and greatest(reannounced_at, since) <= clock_timestamp()
       - greatest($1 * interval '1 millisecond', least(greatest(reannounced_at, since) - since, interval '1 day'))
     order by submitted_at limit $2 for update of claims skip locked))
   returning ${CLAIM_COLUMNS}`,
);
