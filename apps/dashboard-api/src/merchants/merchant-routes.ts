import { dashboardOperations, BusinessError } from '@pay/contracts';
import type { Serve } from '@pay/http';
import { changeMerchant } from './change-merchant';
import { merchants } from '../db/tables';
import { merchantView } from '../domain/views';
import { onBehalfOf, type ManageDeps } from '../changes/on-behalf-of';

export function mountMerchant(serve: Serve, deps: ManageDeps): void {
  serve(dashboardOperations.getMerchant, async ({ session }) => {
    const merchant = await merchants.findBy(deps.db, 'presentById', [session.merchantId]);
    if (!merchant) throw new BusinessError('NOT_FOUND');
    return merchantView(merchant);
  });

  serve(dashboardOperations.changeMerchant, async ({ session, body: { reason, ...change } }) => {
    const input = { merchantId: session.merchantId, change, reason, mayRelax: session.role === 'OWNER' };
    const merchant = await onBehalfOf(deps, session, changeMerchant, input);
    return merchantView(merchant);
  });
}
