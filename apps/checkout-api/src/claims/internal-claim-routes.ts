import { BusinessError } from '@pay/contracts';
import type { InternalRoutes } from '@pay/http';
import type { Database } from '@pay/persistence';
import { listUndecided } from './list-undecided';

/** `/internal/v1/undecided`: the claims that expiry waits for. */
export function mountInternalClaims(reconciler: InternalRoutes, db: Database): void {
  reconciler.get('/internal/v1/undecided', {}, async () => {
    const undecided = await listUndecided({ db });
    if (undecided === undefined) throw new BusinessError('SERVICE_UNAVAILABLE');
    return undecided;
  });
}
