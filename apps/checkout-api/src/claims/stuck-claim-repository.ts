import { inTransaction } from '@pay/persistence';
import { CLAIM_COLUMNS, toClaim } from './claim-repository';

/**
 * Claims without a decision `waitMs` after they were last submitted or published, oldest first. Records that they are
 * published again.
 */
export const takeStuckClaims = inTransaction.mapped(toClaim).rows<[waitMs: number, limit: number]>(
  'take-stuck-claims',
  // The index `claims_undecided` contains only these rows. The wait doubles, so a decision that never arrives costs a
  // dozen events in the first day and one in each further day.
  `update claims as claim set reannounced_at = clock_timestamp()
   where id = any(array(
     select id from claims
     cross join lateral (select coalesce(resubmitted_at, submitted_at) as since) as submission
     where state = 'undecided' and greatest(reannounced_at, since) <= clock_timestamp()
       - greatest($1 * interval '1 millisecond', least(greatest(reannounced_at, since) - since, interval '1 day'))
     order by submitted_at limit $2 for update of claims skip locked))
   returning ${CLAIM_COLUMNS}`,
);
