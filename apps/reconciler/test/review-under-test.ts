import { randomUUID } from 'node:crypto';
import { formatAmount, type InternalIntent, type ReviewAction, type ReviewAnswer } from '@pay/contracts';
import { ApiError } from '@pay/http';
import { openDatabase, type Database } from '@pay/persistence';
import { migrations } from '../src/db/migrations';
import { findIntent } from '../src/db/intents';
import { reviewException, type Actor, type ReviewExceptionDeps } from '../src/review-exception';
import { SHOP } from './builders';
import { silent, type CourtUnderTest } from './court-under-test';

/** An action without what every one of them says. */
type Asked = ReviewAction extends infer Each
  ? Each extends ReviewAction
    ? Omit<Each, 'requestId' | 'reason'>
    : never
  : never;

export const aReviewer = (): Actor => ({ userId: randomUUID(), role: 'REVIEWER' });

/** People who decide, and an intent-api that has applied whatever was decided. */
export function reviewDesk(court: CourtUnderTest, db: Database = court.db) {
  const deps: ReviewExceptionDeps = {
    ...court.deps,
    db,
    fetchIntent: async (id) => {
      const intent = await findIntent(db, id);
      if (intent === undefined) throw new ApiError('NOT_FOUND');
      return {
        ...intent.tenant,
        sequence: 1,
        intent: { id, status: intent.status, amount: formatAmount(intent.amount) },
      } as unknown as InternalIntent;
    },
  };
  const itemOf = async (smsEventId: string) => String((await court.matchOf(smsEventId))?.['id']);
  return {
    itemOf,
    async ask(
      smsEventId: string,
      action: Asked,
      { actor = aReviewer(), requestId = randomUUID(), merchantId = SHOP.merchantId } = {},
    ): Promise<ReviewAnswer> {
      const told = { ...action, requestId, reason: 'The customer has shown us the receipt' } as ReviewAction;
      return reviewException(deps, merchantId, await itemOf(smsEventId), actor, told);
    },
  };
}

/** The database as another replica of the service has it. */
export function replicaOf({ url }: CourtUnderTest, poolSize = 8): Promise<Database> {
  return openDatabase({ url, poolSize, applicationName: 'reconciler', log: silent, migrations });
}
