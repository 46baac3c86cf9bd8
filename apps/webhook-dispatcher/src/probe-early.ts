import type { Environment } from '@pay/contracts';
import type { Queryable } from '@pay/persistence';
import { makeEarlyProbesDue } from './db/early-probes';

export interface ProbeDeps {
  readonly db: Queryable;
  /** Where endpoints are sent to only after they were verified. */
  readonly verifiedEnvironments: readonly Environment[];
  readonly deliverer: { readonly poke: () => void };
}

/** An endpoint that stopped answering is asked again although nothing is due for it: what waits there may wait for a day. */
export async function probeEarly({ db, verifiedEnvironments, deliverer }: ProbeDeps): Promise<void> {
  if ((await makeEarlyProbesDue(db, verifiedEnvironments)) > 0) deliverer.poke();
}
