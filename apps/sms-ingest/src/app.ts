import { createKernel, internalRoutes, type KernelDeps, type PeerSecret } from '@pay/http';
import { isTemporaryFailure, type Database } from '@pay/persistence';
import type { GuessingGuard } from '@pay/rate-limits';
import { mountProblems } from './alerts/problem-routes';
import { mountDeviceHeartbeat, type DeviceHeartbeatDeps } from './devices/device-heartbeat-routes';
import { mountDevicePairing, type DevicePairingDeps } from './devices/device-pairing-routes';
import { mountDeviceSms, type DeviceSmsDeps } from './intake/device-sms-routes';
import type { CloseDaysDeps } from './balances/close-days';
import { mountInternalDailyClose } from './balances/internal-daily-close-routes';
import { mountInternalDevices } from './devices/internal-device-routes';
import { mountForwarderHooks, type ForwarderHooksDeps } from './intake/forwarder-hook-routes';
import { mountInternalMissingSms } from './balances/internal-missing-sms-routes';
import type { ErasePayersDeps } from './texts/erase-payers';
import { mountInternalPayers } from './texts/internal-payer-routes';
import { mountInternalReparse } from './texts/internal-reparse-routes';
import type { SimulateSmsDeps } from './simulator/simulate-sms';
import { mountInternalSimulator } from './simulator/internal-simulator-routes';
import { mountInternalSms } from './decisions/internal-undecided-sms-routes';
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

export type InternalAppDeps = InternalSmsEventDeps &
  CloseDaysDeps &
  ErasePayersDeps & {
    readonly db: Database;
    readonly simulator: SimulateSmsDeps;
    readonly peerSecrets: { readonly reconciler: PeerSecret; readonly 'dashboard-api': PeerSecret };
  };

/** Routes for other services on the private port. */
export function createInternalApp(kernel: KernelDeps, deps: InternalAppDeps) {
  const { db, simulator } = deps;
  return createKernel({
    ...kernel,
    isUnavailable: isTemporaryFailure,
    mount: (app) => {
      const routesFor = internalRoutes(app, 'sms-ingest', deps.peerSecrets);
      mountInternalSms(routesFor('reconciler'), db);
      const dashboard = routesFor('dashboard-api');
      mountInternalReparse(dashboard, deps);
      mountInternalSmsEvents(dashboard, deps);
      mountInternalDevices(dashboard, db);
      mountInternalMissingSms(dashboard, db);
      mountProblems(dashboard, db);
      mountInternalDailyClose(dashboard, deps);
      mountInternalSimulator(dashboard, simulator);
      mountInternalPayers(dashboard, deps);
    },
  });
}
