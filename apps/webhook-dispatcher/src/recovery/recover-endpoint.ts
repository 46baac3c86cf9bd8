import { BusinessError, REFUSAL_DETAILS, type Tenant } from '@pay/contracts';
import { lockEndpoint } from '../endpoints/endpoint-change-repository';
import { beginRecovery, type Recovery } from '../endpoints/recovery-request-repository';
import { maySend } from '../domain/delivery';
import { longestAgo } from '../domain/recovery';
import type { AskDeps } from '../delivery/test-endpoint';

export interface RecoverDeps extends Omit<AskDeps, 'poke'> {
  readonly wakeRecoveries: () => void;
}

/**
 * A job sends all missed deliveries since a time in batches; any process can continue it. An earlier time than
 * permitted is replaced by the earliest one, which the response contains.
 */
export async function recoverEndpoint(
  { db, verifiedEnvironments, newId, now, wakeRecoveries }: RecoverDeps,
  tenant: Tenant,
  endpointId: string,
  since: Date,
): Promise<Recovery> {
  const recovery = await db.transaction(async (tx) => {
    const endpoint = await lockEndpoint(tx, tenant, endpointId);
    if (endpoint === undefined) throw new BusinessError('NOT_FOUND');
    if (since > now()) throw new BusinessError('TIME_OUT_OF_RANGE', REFUSAL_DETAILS.sinceInFuture);
    if (!maySend(endpoint, verifiedEnvironments)) throw new BusinessError('ENDPOINT_NOT_ACTIVE');
    const earliest = longestAgo(now());
    // Deliveries that wait for a retry are sent too, because the merchant requests them now.
    await beginRecovery(tx, { id: newId(), endpointId, kind: 'CAME_BACK', since });
    return beginRecovery(tx, { id: newId(), endpointId, kind: 'ASKED', since: since < earliest ? earliest : since });
  });
  wakeRecoveries();
  return recovery;
}
