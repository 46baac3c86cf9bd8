import type { SessionDoor } from '@pay/http';
import { operationServer } from '@pay/http';
import type { Express } from 'express';
import { mountApiKeys, type ApiKeyRouteDeps } from './api-keys/api-key-routes';
import { mountAuditLog } from './changes/audit-log-routes';
import { mountDailyClose, type DailyCloseDeps } from './sms-events/daily-close-routes';
import { mountDevices, type DeviceRoutesDeps } from './devices/device-routes';
import { mountEvidenceFile, type EvidenceFileRouteDeps } from './reviews/evidence-file-routes';
import { mountExceptions, type ExceptionRouteDeps } from './reviews/exception-routes';
import { mountForwarderHooks, type ForwarderHookDeps } from './devices/forwarder-hook-routes';
import { mountInvitations, type InvitationRouteDeps } from './people/invitation-routes';
import { mountMerchant } from './merchants/merchant-routes';
import { mountMissingSms, type MissingSmsDeps } from './sms-events/missing-sms-routes';
import { mountNumberProofs } from './receivers/number-proof-routes';
import { mountReceiverAccounts } from './receivers/receiver-account-routes';
import { mountReparse, type ReparseRouteDeps } from './sms-events/reparse-routes';
import { mountUsers } from './people/user-routes';

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
