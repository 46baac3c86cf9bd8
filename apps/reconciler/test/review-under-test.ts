import { randomUUID } from 'node:crypto';
import { formatAmount, type InternalIntent, type ReviewAction, type ReviewAnswer, BusinessError } from '@pay/contracts';
import { openDatabase, type Database } from '@pay/persistence';
import { migrations } from '../src/db/migrations';
import { findIntent } from '../src/matching/intent-repository';
import { reviewException, type Actor, type ReviewExceptionDeps } from '../src/reviews/review-exception';
import { SHOP } from './builders';
import { silent, type SessionUnderTest } from './session-under-test';

/** An action without the common fields. */
type Asked = ReviewAction extends infer Each
  ? Each extends ReviewAction
    ? Omit<Each, 'requestId' | 'reason'>
    : never
  : never;

export const aReviewer = (): Actor => ({ userId: randomUUID(), role: 'REVIEWER' });

/** Reviewers, and an intent-api that has applied all decisions. */
export function reviewDesk(session: SessionUnderTest, db: Database = session.db) {
  const deps: ReviewExceptionDeps = {
    ...session.deps,
    db,
    fetchIntent: async (id) => {
      const intent = await findIntent(db, id);
      if (intent === undefined) throw new BusinessError('NOT_FOUND');
      return {
        ...intent.tenant,
        sequence: 1,
        intent: { id, status: intent.status, amount: formatAmount(intent.amount) },
      } as unknown as InternalIntent;
    },
  };
  const itemOf = async (smsEventId: string) => String((await session.matchOf(smsEventId))?.['id']);
  const askItem = async (
    exceptionId: string,
    action: Asked,
    { actor = aReviewer(), requestId = randomUUID(), merchantId = SHOP.merchantId } = {},
  ): Promise<ReviewAnswer> => {
    const published = { ...action, requestId, reason: 'The customer has shown us the receipt' } as ReviewAction;
    return reviewException(deps, merchantId, exceptionId, actor, published);
  };
  return {
    itemOf,
    askItem,
    async ask(smsEventId: string, action: Asked, given?: Parameters<typeof askItem>[2]): Promise<ReviewAnswer> {
      return askItem(await itemOf(smsEventId), action, given);
    },
  };
}

/** The database connection of another replica. */
export function replicaOf({ url }: SessionUnderTest, poolSize = 8): Promise<Database> {
  return openDatabase({ url, poolSize, applicationName: 'reconciler', log: silent, migrations });
}
