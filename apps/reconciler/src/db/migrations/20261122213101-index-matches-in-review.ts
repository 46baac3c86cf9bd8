import type { Migration } from '@pay/persistence';

/** An intent is not deleted while a match that names it waits for a person. */
export const indexMatchesInReview: Migration = {
  name: '20261122213101-index-matches-in-review',
  transaction: false,
  sql: `create index concurrently if not exists matches_in_review_of_intent on matches (payment_intent_id)
    where status = 'REVIEW_REQUIRED' and payment_intent_id is not null`,
};
