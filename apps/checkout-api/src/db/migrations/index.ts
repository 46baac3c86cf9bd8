import { directoryMigrations } from '@pay/directory';
import { messagingMigrations } from '@pay/messaging';
import { gatherFewStatistics, type Migration } from '@pay/persistence';
import { rateLimitMigrations } from '@pay/rate-limits';
import { createSchema } from './20261127190300-create-schema';
import { storeSequencesOfClaimDecisions } from './20261127201000-store-sequences-of-claim-decisions';

export const migrations: Migration[] = [
  ...messagingMigrations,
  ...directoryMigrations,
  ...rateLimitMigrations,
  createSchema,
  gatherFewStatistics,
  storeSequencesOfClaimDecisions,
];
