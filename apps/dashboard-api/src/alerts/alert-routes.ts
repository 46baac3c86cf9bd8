import { dashboardOperations } from '@pay/contracts';
import { sessionOf, type Serve } from '@pay/http';
import { onBehalfOf, type ManageDeps } from '../changes/on-behalf-of';
import { pageOfAlerts, type AlertRow } from './alert-repository';
import { alertKindsOf } from './alert-settings-repository';
import { changeAlertSettings } from './change-alert-settings';

export function mountAlerts(serve: Serve, deps: ManageDeps): void {
  serve(dashboardOperations.listAlerts, async ({ query: { environment, ...place }, res }) => {
    const found = await pageOfAlerts(deps.db, place, sessionOf(res).merchantId, environment);
    return { status: 200, body: { ...found, data: found.data.map(alertView) } };
  });

  serve(dashboardOperations.getAlertSettings, async ({ query: { environment }, res }) => {
    const { merchantId } = sessionOf(res);
    return { status: 200, body: { environment, kinds: await alertKindsOf(deps.db, { merchantId, environment }) } };
  });

  serve(dashboardOperations.changeAlertSettings, async ({ body, res }) => {
    const session = sessionOf(res);
    const input = { ...body, merchantId: session.merchantId };
    const settings = await onBehalfOf(deps, session, (changeDeps, tx) => changeAlertSettings(changeDeps, tx, input));
    return { status: 200, body: settings };
  });
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
