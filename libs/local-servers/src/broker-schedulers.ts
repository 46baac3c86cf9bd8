import { availableParallelism } from 'node:os';

/**
 * A broker that shares its cores with Postgres and all services. Bound to a core, or with a scheduler for each, it
 * waits for a core that somebody else has: on two cores that made payments two to four times as slow at 50 per second.
 */
export function sharedCores(cores = availableParallelism()): {
  readonly bindType: string;
  readonly erlangArguments: string;
} {
  const schedulers = Math.max(1, Math.floor(cores / 2));
  return { bindType: 'u', erlangArguments: `+S ${schedulers}:${schedulers}` };
}
