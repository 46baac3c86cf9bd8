import { ENVIRONMENT } from './catalogue/service-metrics';
import type { Gauge } from './metrics';

/** The gauge has no value while `find` fails. */
export function ageOfOldest(
  find: () => Promise<readonly { readonly environment: string; readonly oldest: Date }[]>,
  now: () => Date,
): (gauge: Gauge<'environment'>) => Promise<void> {
  return async (gauge) => {
    const waiting = await find().catch(() => undefined);
    for (const environment of ENVIRONMENT) {
      const times = waiting?.filter((each) => each.environment === environment).map(({ oldest }) => oldest.getTime());
      const age = times && Math.max(0, now().getTime() - Math.min(...times, now().getTime()));
      gauge.set({ environment }, age === undefined ? Number.NaN : age / 1_000);
    }
  };
}
