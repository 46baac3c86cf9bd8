import type { Environment } from '@pay/contracts';
import type { Queryable } from '@pay/persistence';
import { makeEarlyProbesDue } from './early-probe-repository';
import { SOONEST_GAIN_SECONDS } from '../domain/breaker';

export interface ProbeDeps {
  readonly db: Queryable;
  readonly verifiedEnvironments: readonly Environment[];
  /** 1, except in tests. */
  readonly timeScale: number;
  readonly deliverer: { readonly poke: () => void };
}

/** Without an early probe, an endpoint with an open breaker could wait a day for its next attempt. */
export async function probeEarly({ db, verifiedEnvironments, timeScale, deliverer }: ProbeDeps): Promise<void> {
  const found = await makeEarlyProbesDue(db, verifiedEnvironments, SOONEST_GAIN_SECONDS * timeScale);
  if (found > 0) deliverer.poke();
}
