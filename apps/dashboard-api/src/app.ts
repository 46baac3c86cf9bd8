import type { Operation, ServiceName } from '@pay/contracts';
import {
  createKernel,
  internalRoutes,
  operationServer,
  type KernelDeps,
  type PeerSecret,
  type SessionCheck,
} from '@pay/http';
import type { Messaging } from '@pay/messaging';
import { isTemporaryFailure, type Queryable } from '@pay/persistence';
import type { SecretBox } from '@pay/runtime';
import type { Express, RequestHandler } from 'express';
import { mountAlerts } from './alerts/alert-routes';
import { mountApiDescription } from './api-description/api-description-routes';
import { mountApiKeys } from './api-keys/api-key-routes';
import { mountAuditLog } from './changes/audit-log-routes';
import { findEnvironmentIn } from './changes/find-environment';
import type { Peers } from './clients/service-clients';
import { mountDashboardPages } from './dashboard-pages/dashboard-page-routes';
import { mountDevices } from './devices/device-routes';
import { mountInternalPairing } from './devices/internal-pairing-routes';
import type { PairDeviceDeps } from './devices/pair-device';
import { mountExports } from './exports/export-routes';
import type { CsvExports } from './exports/stream-csv';
import type { ChangeStreams } from './live-updates/change-streams';
import type { MailQueue } from './mails/mail-queue';
import { mountInternalLookUp } from './directory/internal-look-up-routes';
import { mountMerchant } from './merchants/merchant-routes';
import { mountPayments } from './payments/payment-routes';
import { mountInvitations } from './people/invitation-routes';
import { mountJoining } from './people/joining-routes';
import { mountUsers } from './people/user-routes';
import { mountNumberProofs } from './receivers/number-proof-routes';
import { mountReceiverAccounts } from './receivers/receiver-account-routes';
import { mountExceptions } from './reviews/exception-routes';
import { mountSandbox, type SandboxDeps } from './sandbox/mount-sandbox';
import type { ServiceDeps } from './service-deps';
import type { CurrentSession } from './sign-in/current-session';
import type { SignInDeps } from './sign-in/sign-in-deps';
import { mountAuth } from './sign-in/sign-in-routes';
import { mountSmsEvents } from './sms-events/sms-event-routes';
import { mountWebhookDeliveries } from './webhooks/delivery-routes';
import { mountWebhookEndpoints } from './webhooks/endpoint-routes';
import { mountChanges } from './live-updates/change-routes';
import { mountStatistics } from './statistics/statistics-routes';

function behindSession(limitSession: RequestHandler) {
  return ({ credential }: Operation) => (credential.kind === 'session' ? [limitSession] : []);
}

export interface AppDeps extends SandboxDeps, Peers, Pick<ServiceDeps, 'pageFiles'> {
  readonly messaging: Pick<Messaging, 'publish'>;
  readonly session: SessionCheck;
  readonly currentSession: CurrentSession;
  readonly limitSession: RequestHandler;
  readonly signIn: SignInDeps;
  readonly secureCookies: boolean;
  readonly changeStreams: Pick<ChangeStreams, 'open'>;
  readonly csvExports: CsvExports;
  readonly mails: MailQueue;
  readonly hookSecrets: Pick<SecretBox, 'seal'>;
  readonly dashboardUrl: string | undefined;
  readonly mostApiKeys: number;
  readonly offlineSeconds: number;
}

export function createApp(kernel: KernelDeps, deps: AppDeps) {
  return createKernel({
    ...kernel,
    isUnavailable: isTemporaryFailure,
    mount: (app) => {
      const { session, signIn, secureCookies } = deps;
      const guard = behindSession(deps.limitSession);
      mountAuth(app, { session, signIn, secureCookies, guard });
      mountJoining(app, { session, signIn, secureCookies, guard });
      mountDashboard(app, deps);
      mountSandbox(app, deps);
      mountApiDescription(app);
      mountDashboardPages(app, deps);
    },
  });
}

/** The merchant always comes from the session, never from the request. */
function mountDashboard(app: Express, { session, limitSession, ...deps }: AppDeps): void {
  const guard = behindSession(limitSession);
  const serve = operationServer(app, { session, guard, findEnvironment: findEnvironmentIn(deps) });
  mountMerchant(serve, deps);
  mountAlerts(serve, deps);
  mountUsers(serve, deps);
  mountInvitations(serve, deps);
  mountApiKeys(serve, deps);
  mountReceiverAccounts(serve, deps);
  mountNumberProofs(serve, deps);
  mountDevices(serve, deps);
  mountSmsEvents(serve, deps);
  mountPayments(serve, deps);
  mountStatistics(serve, deps);
  mountChanges(serve, deps);
  mountExceptions(serve, deps);
  mountWebhookEndpoints(serve, deps);
  mountWebhookDeliveries(serve, deps);
  mountAuditLog(serve, deps);
  mountExports(serve, deps);
}

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
