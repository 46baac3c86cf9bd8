import { directoryMigrations } from '@pay/directory';
import { messagingMigrations } from '@pay/messaging';
import { gatherFewStatistics, type Migration } from '@pay/persistence';
import { rateLimitMigrations } from '@pay/rate-limits';
import { createSchema } from './20261127190300-create-schema';
import { storeWhenEarlyProbesMayBegin } from './20261128095700-store-when-early-probes-may-begin';
import { indexDueFirstAttempts } from './20261128133800-index-due-first-attempts';
import { storeEarlyFailures } from './20261128134500-store-early-failures';
import { countEarlyFailures } from './20261128165500-count-early-failures';
import { storeWhenARecoveryWasRequested } from './20261128224500-store-when-a-recovery-was-requested';

export const migrations: Migration[] = [
  ...messagingMigrations,
  ...directoryMigrations,
  ...rateLimitMigrations,
  createSchema,
  gatherFewStatistics,
  storeWhenEarlyProbesMayBegin,
  indexDueFirstAttempts,
  storeEarlyFailures,
  countEarlyFailures,
  storeWhenARecoveryWasRequested,
];
