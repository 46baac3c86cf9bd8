import type { z } from 'zod';
import { secretSettingsOf } from './config';
import type { Metrics } from './metrics';

export function showSecretAges(
  metrics: Metrics,
  schema: z.ZodObject,
  config: Readonly<Record<string, unknown>> & { readonly ROTATION_DATES?: ReadonlyMap<string, Date> | undefined },
): void {
  const gauge = metrics.gauge('secret_rotated_timestamp_seconds');
  for (const setting of secretSettingsOf(schema)) {
    if (config[setting] === undefined) continue;
    gauge.set({ setting }, (config.ROTATION_DATES?.get(setting)?.getTime() ?? 0) / 1_000);
  }
}
