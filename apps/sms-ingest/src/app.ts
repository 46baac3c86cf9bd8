import { createKernel } from '@pay/http';
import { isConnectionLoss } from '@pay/persistence';
import type { GuessingGuard } from '@pay/rate-limits';
import type { Logger, Metrics } from '@pay/runtime';
import { mountDeviceHeartbeat, type DeviceHeartbeatDeps } from './devices/device-heartbeat-routes';
import { mountDevicePairing, type DevicePairingDeps } from './devices/device-pairing-routes';
import { mountDeviceSms, type DeviceSmsDeps } from './intake/device-sms-routes';
import { mountInternalDailyClose, type InternalDailyCloseDeps } from './balances/internal-daily-close-routes';
import { mountInternalDevices, type InternalDevicesDeps } from './devices/internal-device-routes';
import { mountForwarderHooks, type ForwarderHooksDeps } from './intake/forwarder-hook-routes';
import { mountInternalMissingSms, type InternalMissingSmsDeps } from './balances/internal-missing-sms-routes';
import { mountInternalPayers, type InternalPayersDeps } from './texts/internal-payer-routes';
import { mountInternalReparse, type InternalReparseDeps } from './texts/internal-reparse-routes';
import { mountInternalSimulator, type InternalSimulatorDeps } from './simulator/internal-simulator-routes';
import { mountInternalSms, type InternalSmsDeps } from './decisions/internal-undecided-sms-routes';
import { mountInternalSmsEvents, type InternalSmsEventDeps } from './texts/internal-sms-event-routes';

export interface KernelDeps {
  /** Networks of our own proxies; the client's address is the first one from the right that is in none of them. */
  readonly trustedProxyCidrs?: readonly string[];
  readonly log: Logger;
  readonly metrics: Metrics;
}

/** What phones reach. */
export function createApp(
  kernel: KernelDeps,
  deps: DeviceSmsDeps &
    ForwarderHooksDeps &
    DevicePairingDeps &
    DeviceHeartbeatDeps & { readonly unknownCredentials: Pick<GuessingGuard, 'before' | 'refused'> },
) {
  return createKernel({
    ...kernel,
    isUnavailable: isConnectionLoss,
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

/** What other services reach, on the private port. */
export function createInternalApp(
  kernel: KernelDeps,
  deps: InternalSmsDeps &
    InternalSmsEventDeps &
    InternalReparseDeps &
    InternalDevicesDeps &
    InternalMissingSmsDeps &
    InternalDailyCloseDeps &
    InternalSimulatorDeps &
    InternalPayersDeps,
) {
  return createKernel({
    ...kernel,
    isUnavailable: isConnectionLoss,
    mount: (app) => {
      mountInternalSms(app, deps);
      mountInternalReparse(app, deps);
      mountInternalSmsEvents(app, deps);
      mountInternalDevices(app, deps);
      mountInternalMissingSms(app, deps);
      mountInternalDailyClose(app, deps);
      mountInternalSimulator(app, deps);
      mountInternalPayers(app, deps);
    },
  });
}
