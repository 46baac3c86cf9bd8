import { environmentSchema } from '@pay/contracts';
import type { Queryable } from '@pay/persistence';
import type { Metrics } from '@pay/runtime';
import { undecidedClaims } from './claim-repository';

/** The gauge of the oldest undecided claim. It has no value while the database is unavailable. */
export function watchUndecided(metrics: Metrics, db: Queryable, now: () => Date): void {
  metrics.gauge('claims_undecided_oldest_seconds', async (gauge) => {
    const undecided = await undecidedClaims(db).catch(() => undefined);
    for (const environment of environmentSchema.options) {
      const times = undecided?.filter((each) => each.environment === environment).map(({ oldest }) => oldest.getTime());
      const age = times && Math.max(0, now().getTime() - Math.min(...times, now().getTime()));
      gauge.set({ environment }, age === undefined ? Number.NaN : age / 1_000);
    }
  });
}
