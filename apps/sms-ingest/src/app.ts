import { createKernel } from '@pay/http';
import { isConnectionLoss } from '@pay/persistence';
import type { GuessingGuard } from '@pay/rate-limits';
import type { Logger, Metrics } from '@pay/runtime';
import { mountDeviceHeartbeat, type DeviceHeartbeatDeps } from './routes/device-heartbeat';
import { mountDevicePairing, type DevicePairingDeps } from './routes/device-pairing';
import { mountDeviceSms, type DeviceSmsDeps } from './routes/device-sms';
import { mountInternalDailyClose, type InternalDailyCloseDeps } from './routes/internal-daily-close';
import { mountInternalDevices, type InternalDevicesDeps } from './routes/internal-devices';
import { mountForwarderHooks, type ForwarderHooksDeps } from './routes/forwarder-hooks';
import { mountInternalMissingSms, type InternalMissingSmsDeps } from './routes/internal-missing-sms';
import { mountInternalPayers, type InternalPayersDeps } from './routes/internal-payers';
import { mountInternalReparse, type InternalReparseDeps } from './routes/internal-reparse';
import { mountInternalSimulator, type InternalSimulatorDeps } from './routes/internal-simulator';
import { mountInternalSms, type InternalSmsDeps } from './routes/internal-sms';
import { mountInternalSmsEvents, type InternalSmsEventDeps } from './routes/internal-sms-events';

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
