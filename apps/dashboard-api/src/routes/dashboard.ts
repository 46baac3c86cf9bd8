import type { SessionDoor } from '@pay/http';
import { operationServer } from '@pay/http';
import type { Express } from 'express';
import { mountApiKeys, type ApiKeyRouteDeps } from './dashboard-api-keys';
import { mountAuditLog } from './dashboard-audit-log';
import { mountDailyClose, type DailyCloseDeps } from './dashboard-daily-close';
import { mountDevices, type DeviceRoutesDeps } from './dashboard-devices';
import { mountEvidenceFile, type EvidenceFileRouteDeps } from './dashboard-evidence-file';
import { mountExceptions, type ExceptionRouteDeps } from './dashboard-exceptions';
import { mountForwarderHooks, type ForwarderHookDeps } from './dashboard-forwarder-hooks';
import { mountInvitations, type InvitationRouteDeps } from './dashboard-invitations';
import { mountMerchant } from './dashboard-merchant';
import { mountMissingSms, type MissingSmsDeps } from './dashboard-missing-sms';
import { mountNumberProofs } from './dashboard-number-proofs';
import { mountReceiverAccounts } from './dashboard-receiver-accounts';
import { mountReparse, type ReparseRouteDeps } from './dashboard-reparse';
import { mountUsers } from './dashboard-users';

export interface DashboardDeps
  extends
    ApiKeyRouteDeps,
    ForwarderHookDeps,
    InvitationRouteDeps,
    DeviceRoutesDeps,
    MissingSmsDeps,
    DailyCloseDeps,
    EvidenceFileRouteDeps,
    ExceptionRouteDeps,
    ReparseRouteDeps {
  readonly session: SessionDoor;
}

/** `/v1/dashboard/*`: a merchant's own affairs. Whose they are is what the session says, never what the request says. */
export function mountDashboard(app: Express, { session, ...deps }: DashboardDeps): void {
  const serve = operationServer(app, { session });
  mountMerchant(serve, deps);
  mountUsers(serve, deps);
  mountInvitations(serve, deps);
  mountApiKeys(serve, deps);
  mountReceiverAccounts(serve, deps);
  mountNumberProofs(serve, deps);
  mountDevices(serve, deps);
  mountForwarderHooks(serve, deps);
  mountMissingSms(serve, deps);
  mountDailyClose(serve, deps);
  mountReparse(serve, deps);
  mountExceptions(serve, deps);
  mountEvidenceFile(serve, deps);
  mountAuditLog(serve, deps);
}
