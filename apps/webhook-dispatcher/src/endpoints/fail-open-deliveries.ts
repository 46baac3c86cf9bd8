import { FIRST_ID, type Queryable } from '@pay/persistence';
import {
  failHeld,
  failScheduled,
  findDeletedEndpoints,
  hasScheduled,
  markDeliveriesEnded,
} from './deleted-endpoint-repository';

/** Rows per transaction. Small, so that locks are short and no statement reaches its timeout. */
const BATCH = 1_000;
const ENDPOINTS_PER_RUN = 100;

export const FAIL_OPEN_TASK = 'fail-open-deliveries';

export interface FailOpenDeps {
  /** Not a transaction, because each statement must be committed before the next. */
  readonly db: Queryable;
}

/** Any process continues after a crash, because an endpoint is marked only when all its deliveries have ended. */
export async function failOpenDeliveries({ db }: FailOpenDeps, signal: AbortSignal): Promise<void> {
  for (const id of await findDeletedEndpoints(db, ENDPOINTS_PER_RUN)) {
    if (await failAllOf(db, id, signal)) await markDeliveriesEnded(db, id);
  }
}

/** Fails a first batch, so that most deletions are complete when the request is answered. */
export async function failFirstOpenDeliveries({ db }: FailOpenDeps, endpointId: string): Promise<void> {
  await failHeld(db, endpointId, FIRST_ID, BATCH);
  await failScheduled(db, endpointId, BATCH);
}

/** False if it was stopped or a delivery is leased or locked. A later run continues. */
async function failAllOf(db: Queryable, endpointId: string, signal: AbortSignal): Promise<boolean> {
  const stopped = () => signal.aborted;
  while (!stopped() && (await failScheduled(db, endpointId, BATCH)) === BATCH);
  if (stopped() || (await hasScheduled(db, endpointId))) return false;
  let afterId: string | null = FIRST_ID;
  while (!stopped() && afterId !== null) {
    const { read, lastId } = await failHeld(db, endpointId, afterId, BATCH);
    afterId = read < BATCH ? null : lastId;
  }
  return afterId === null;
}
