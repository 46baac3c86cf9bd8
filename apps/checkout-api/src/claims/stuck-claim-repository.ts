import { inTransaction } from '@pay/persistence';
import { submissionColumns, toClaim, type SubmissionRow } from './claim-repository';

/**
 * Takes claims without a decision `waitMs` after their last submission or publication and records that they are
 * published again. Returns the first and the latest submission of each, in their order: the first may be the one in
 * time.
 */
export const takeStuckClaims = inTransaction.mapped(toClaim<SubmissionRow>).rows<[waitMs: number, limit: number]>(
  'take-stuck-claims',
  // Uses the index `claims_undecided`. The wait doubles, so that a missing decision causes a dozen events on the first
  // day and then about one a day.
  `with taken as (update claims as claim set reannounced_at = clock_timestamp()
   where id = any(array(
     select id from claims
     cross join lateral (select coalesce(resubmitted_at, submitted_at) as since) as submission
     where state = 'undecided' and greatest(reannounced_at, since) <= clock_timestamp()
       - greatest($1 * interval '1 millisecond', least(greatest(reannounced_at, since) - since, interval '1 day'))
     order by submitted_at limit $2 for update of claims skip locked))
   returning claim.*)
   select ${submissionColumns('at', 'first', 'last')} from taken cross join lateral (values
     (submitted_at, 1, case when resubmitted_at is null then submissions else submissions - 1 end),
     (resubmitted_at, submissions, submissions)) as submission (at, first, last)
   where at is not null order by at`,
);
