import type { Directory } from '@pay/directory';
import { createKernel, internalRoutes, type KernelDeps, type PeerSecret } from '@pay/http';
import { isTemporaryFailure, type Database } from '@pay/persistence';
import type { GuessingGuard } from '@pay/rate-limits';
import { mountDeviceHeartbeat, type DeviceHeartbeatDeps } from './devices/device-heartbeat-routes';
import { mountDevicePairing, type DevicePairingDeps } from './devices/device-pairing-routes';
import { mountDeviceSms, type DeviceSmsDeps } from './intake/device-sms-routes';
import { mountForwarderHooks, type ForwarderHooksDeps } from './intake/forwarder-hook-routes';
import { mountForDashboard, mountForReconciler, type DashboardRoutesDeps } from './internal/internal-routes';
import { mountInternalSmsEvents, type InternalSmsEventDeps } from './texts/internal-sms-event-routes';

/** Public routes for phones. */
export function createApp(
  kernel: KernelDeps,
  deps: DeviceSmsDeps &
    ForwarderHooksDeps &
    DevicePairingDeps &
    DeviceHeartbeatDeps & { readonly unknownCredentials: Pick<GuessingGuard, 'before' | 'refused'> },
) {
  return createKernel({
    ...kernel,
    isUnavailable: isTemporaryFailure,
    mount: (app) => {
      app.use(deps.unknownCredentials.before);
      mountDeviceSms(app, deps);
      mountForwarderHooks(app, deps);
      mountDevicePairing(app, deps);
      mountDeviceHeartbeat(app, deps);
      app.use(deps.unknownCredentials.refused);
    },
  });
}

export interface InternalAppDeps extends InternalSmsEventDeps, DashboardRoutesDeps {
  readonly db: Database;
  readonly directory: Pick<Directory, 'devices' | 'merchant' | 'receiverAccounts'>;
  readonly secrets: InternalSmsEventDeps['secrets'];
  readonly peerSecrets: { readonly reconciler: PeerSecret; readonly 'dashboard-api': PeerSecret };
}

/** Routes for other services on the private port. */
export function createInternalApp(kernel: KernelDeps, deps: InternalAppDeps) {
  return createKernel({
    ...kernel,
    isUnavailable: isTemporaryFailure,
    mount: (app) => {
      const routesFor = internalRoutes(app, 'sms-ingest', deps.peerSecrets);
      mountForReconciler(routesFor('reconciler'), deps);
      const dashboard = routesFor('dashboard-api');
      mountInternalSmsEvents(dashboard, deps);
      mountForDashboard(dashboard, deps);
    },
  });
}
