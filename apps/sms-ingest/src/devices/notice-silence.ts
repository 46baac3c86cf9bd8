import { environmentSchema } from '@pay/contracts';
import type { Queryable } from '@pay/persistence';
import type { Logger, Metrics } from '@pay/runtime';
import { countPresences, markAlerted, markBack, markOffline, type SilenceSince } from './device-silence-repository';

export interface NoticeSilenceDeps {
  readonly db: Queryable;
  readonly log: Logger;
  readonly metrics: DeviceMetrics;
  /** A monotonic clock in milliseconds. */
  readonly clock: () => number;
  readonly offlineSeconds: number;
  readonly alertSeconds: number;
}

export type DeviceMetrics = ReturnType<typeof deviceMetrics>;

export function deviceMetrics(metrics: Metrics) {
  return {
    online: metrics.gauge('devices_online'),
    silent: metrics.gauge('devices_silent'),
    wentOffline: metrics.counter('devices_went_offline_total'),
  };
}

/**
 * Returns a round that detects devices that went offline or came back, each once over all replicas. Silence is ignored
 * right after a start or a failed round, when heartbeats may have been missed.
 */
export function silenceRound(deps: NoticeSilenceDeps): () => Promise<void> {
  const { db, log, metrics, clock, offlineSeconds, alertSeconds } = deps;
  let hearingSince = clock();

  async function noticeAll(): Promise<void> {
    for (const device of await markBack(db, offlineSeconds)) log.info(about(device), 'device.back');
    if (clock() - hearingSince >= offlineSeconds * 1_000) {
      for (const { environment } of await markOffline(db, offlineSeconds)) metrics.wentOffline.inc({ environment });
      for (const device of await markAlerted(db, alertSeconds)) log.warn(about(device), 'device.silent');
    }
    const presences = await countPresences(db, offlineSeconds);
    for (const environment of environmentSchema.options) {
      metrics.online.set({ environment }, presences[environment].online);
      metrics.silent.set({ environment }, presences[environment].silent);
    }
  }

  return async () => {
    try {
      await noticeAll();
    } catch (error) {
      hearingSince = clock();
      throw error;
    }
  };
}

function about({ deviceId, merchantId, environment, seenAt }: SilenceSince) {
  return { deviceId, merchantId, environment, seenAt: seenAt.toISOString() };
}
