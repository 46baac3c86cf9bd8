import { directoryMigrations } from '@pay/directory';
import { messagingMigrations } from '@pay/messaging';
import { gatherFewStatistics, type Migration } from '@pay/persistence';
import { rateLimitMigrations } from '@pay/rate-limits';
import { createSchema } from './20261127190300-create-schema';
import { dropIsKeyedOfFingerprints } from './20261127230000-drop-is-keyed-of-fingerprints';

export const migrations: Migration[] = [
  ...messagingMigrations,
  ...directoryMigrations,
  ...rateLimitMigrations,
  createSchema,
  gatherFewStatistics,
  dropIsKeyedOfFingerprints,
];
