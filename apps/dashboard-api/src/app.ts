import type { Operation, ServiceName } from '@pay/contracts';
import {
  createKernel,
  internalRoutes,
  operationServer,
  type KernelDeps,
  type PeerSecret,
  type SessionCheck,
} from '@pay/http';
import { isTemporaryFailure, type Queryable } from '@pay/persistence';
import type { Express, RequestHandler } from 'express';
import { mountAlerts } from './alerts/alert-routes';
import { mountApiDescription } from './api-description/api-description-routes';
import { mountApiKeys, type ApiKeyRouteDeps } from './api-keys/api-key-routes';
import { mountAuditLog } from './changes/audit-log-routes';
import { findEnvironmentIn } from './changes/find-environment';
import { mountDashboardPages, type DashboardPageDeps } from './dashboard-pages/dashboard-page-routes';
import { mountDevices, type DeviceRoutesDeps } from './devices/device-routes';
import { mountForwarderHooks, type ForwarderHookDeps } from './devices/forwarder-hook-routes';
import { mountInternalPairing } from './devices/internal-pairing-routes';
import type { PairDeviceDeps } from './devices/pair-device';
import { mountExports, type ExportRouteDeps } from './exports/export-routes';
import { mountInternalLookUp } from './directory/internal-look-up-routes';
import { mountMerchant } from './merchants/merchant-routes';
import { mountPayments } from './payments/payment-routes';
import type { SearchPaymentsDeps } from './payments/search-payments';
import { mountInvitations, type InvitationRouteDeps } from './people/invitation-routes';
import { mountUsers } from './people/user-routes';
import { mountNumberProofs } from './receivers/number-proof-routes';
import { mountReceiverAccounts } from './receivers/receiver-account-routes';
import { mountReceiverUsage } from './receivers/receiver-usage-routes';
import { mountEvidenceFile, type EvidenceFileRouteDeps } from './reviews/evidence-file-routes';
import { mountExceptions, type ExceptionRouteDeps } from './reviews/exception-routes';
import { mountSandbox, type SandboxDeps } from './sandbox/mount-sandbox';
import { mountAuth, type AuthDeps } from './sign-in/sign-in-routes';
import { mountDailyClose } from './sms-events/daily-close-routes';
import { mountMissingSms } from './sms-events/missing-sms-routes';
import { mountReparse, type ReparseRouteDeps } from './sms-events/reparse-routes';
import { mountSmsEvents, type SmsEventRouteDeps } from './sms-events/sms-event-routes';
import type { ActOnEndpointDeps } from './webhooks/act-on-endpoint';
import { mountWebhookDeliveries } from './webhooks/delivery-routes';
import { mountWebhookEndpoints } from './webhooks/endpoint-routes';
import { mountChanges, type ChangeRouteDeps } from './live-updates/change-routes';
import { mountStatistics, type StatisticsDeps } from './statistics/statistics-routes';

/** Mounted after the session of an operation. */
function behindSession(limitSession: RequestHandler) {
  return ({ credential }: Operation) => (credential.kind === 'session' ? [limitSession] : []);
}

export interface DashboardDeps
  extends
    ApiKeyRouteDeps,
    ChangeRouteDeps,
    ForwarderHookDeps,
    InvitationRouteDeps,
    DeviceRoutesDeps,
    EvidenceFileRouteDeps,
    ExportRouteDeps,
    ExceptionRouteDeps,
    SearchPaymentsDeps,
    ReparseRouteDeps,
    SmsEventRouteDeps,
    ActOnEndpointDeps,
    StatisticsDeps {
  readonly session: SessionCheck;
  /** Counts the requests of a user. */
  readonly limitSession: RequestHandler;
}

/** The dependencies of all public routes. Routes are mounted with `operationServer(app, { session })`. */
export type AppDeps = Omit<AuthDeps, 'guard'> & DashboardDeps & SandboxDeps & DashboardPageDeps;

/** The public routes: sign-in, `/v1/dashboard/*`, the description of the API, and the pages of the dashboard. */
export function createApp(kernel: KernelDeps, deps: AppDeps) {
  return createKernel({
    ...kernel,
    isUnavailable: isTemporaryFailure,
    mount: (app) => {
      const { session, signIn, secureCookies } = deps;
      mountAuth(app, { session, signIn, secureCookies, guard: behindSession(deps.limitSession) });
      mountDashboard(app, deps);
      mountSandbox(app, deps);
      mountApiDescription(app);
      mountDashboardPages(app, deps);
    },
  });
}

/** The merchant of a request is the merchant of its session, never a merchant that the request names. */
function mountDashboard(app: Express, { session, limitSession, ...deps }: DashboardDeps): void {
  const guard = behindSession(limitSession);
  const serve = operationServer(app, { session, guard, findEnvironment: findEnvironmentIn(deps) });
  mountMerchant(serve, deps);
  mountAlerts(serve, deps);
  mountUsers(serve, deps);
  mountInvitations(serve, deps);
  mountApiKeys(serve, deps);
  mountReceiverAccounts(serve, deps);
  mountReceiverUsage(serve, deps);
  mountNumberProofs(serve, deps);
  mountDevices(serve, deps);
  mountForwarderHooks(serve, deps);
  mountMissingSms(serve, deps);
  mountDailyClose(serve, deps);
  mountReparse(serve, deps);
  mountSmsEvents(serve, deps);
  mountPayments(serve, deps);
  mountStatistics(serve, deps);
  mountChanges(serve, deps);
  mountExceptions(serve, deps);
  mountEvidenceFile(serve, deps);
  mountWebhookEndpoints(serve, deps);
  mountWebhookDeliveries(serve, deps);
  mountAuditLog(serve, deps);
  mountExports(serve, deps);
}

/** The routes for other services, on the private port. */
export function createInternalApp(
  kernel: KernelDeps,
  deps: PairDeviceDeps & { readonly db: Queryable; readonly peerSecrets: Partial<Record<ServiceName, PeerSecret>> },
) {
  return createKernel({
    ...kernel,
    isUnavailable: isTemporaryFailure,
    mount: (app) => {
      const routesFor = internalRoutes(app, 'dashboard-api', deps.peerSecrets);
      mountInternalLookUp(routesFor, deps.db);
      mountInternalPairing(routesFor('sms-ingest'), deps);
    },
  });
}
