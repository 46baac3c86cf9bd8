import { dashboardOperations } from '@pay/contracts';
import type { Serve } from '@pay/http';
import { onBehalfOf, type ManageDeps } from '../changes/on-behalf-of';
import { pageOfAlerts, type AlertRow } from './alert-repository';
import { alertKindsOf } from './alert-settings-repository';
import { changeAlertSettings } from './change-alert-settings';

export function mountAlerts(serve: Serve, deps: ManageDeps): void {
  serve(dashboardOperations.listAlerts, async ({ session, query: { environment, ...place } }) => {
    const found = await pageOfAlerts(deps.db, place, session.merchantId, environment);
    return { ...found, data: found.data.map(alertView) };
  });

  serve(dashboardOperations.getAlertSettings, async ({ session: { merchantId }, query: { environment } }) => ({
    environment,
    kinds: await alertKindsOf(deps.db, { merchantId, environment }),
  }));

  serve(dashboardOperations.changeAlertSettings, ({ session, body }) =>
    onBehalfOf(deps, session, changeAlertSettings, { ...body, merchantId: session.merchantId }),
  );
}

function alertView({ merchantId: _, since, openedAt, mailedAt, closedAt, ...alert }: AlertRow) {
  return {
    ...alert,
    since: since.toISOString(),
    openedAt: openedAt.toISOString(),
    mailedAt: mailedAt?.toISOString() ?? null,
    closedAt: closedAt?.toISOString() ?? null,
  };
}
