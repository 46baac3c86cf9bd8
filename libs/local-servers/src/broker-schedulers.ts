import { availableParallelism } from 'node:os';

/**
 * Scheduler settings for a broker that shares its cores with Postgres and all services. If schedulers are bound to
 * cores, or as many as cores, they wait for busy cores: on two cores payments at 50 per second took two to four times
 * as long.
 */
export function sharedCores(cores = availableParallelism()): {
  readonly bindType: string;
  readonly erlangArguments: string;
} {
  const schedulers = Math.max(1, Math.floor(cores / 2));
  return { bindType: 'u', erlangArguments: `+S ${schedulers}:${schedulers}` };
}
