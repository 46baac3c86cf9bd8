import type { Environment } from '@pay/contracts';
import type { Queryable } from '@pay/persistence';
import { makeEarlyProbesDue } from './early-probe-repository';
import { SOONEST_GAIN_SECONDS } from '../domain/breaker';

export interface ProbeDeps {
  readonly db: Queryable;
  /** Environments that require verified endpoints. */
  readonly verifiedEnvironments: readonly Environment[];
  /** 1 outside of tests. */
  readonly timeScale: number;
  readonly deliverer: { readonly poke: () => void };
}

/** Probes an endpoint with an open breaker although nothing is due, because its next attempt may be a day away. */
export async function probeEarly({ db, verifiedEnvironments, timeScale, deliverer }: ProbeDeps): Promise<void> {
  const found = await makeEarlyProbesDue(db, verifiedEnvironments, SOONEST_GAIN_SECONDS * timeScale);
  if (found > 0) deliverer.poke();
}
