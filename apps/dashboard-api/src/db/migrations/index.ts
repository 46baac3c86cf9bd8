import { messagingMigrations } from '@pay/messaging';
import { gatherFewStatistics, type Migration } from '@pay/persistence';
import { rateLimitMigrations } from '@pay/rate-limits';
import { createSchema } from './20261127190300-create-schema';
import { addAlertsOfDoubtfulPayments } from './20261127230000-add-alerts-of-doubtful-payments';
import { turnOnAlertsOfDoubtfulPayments } from './20261128020000-turn-on-alerts-of-doubtful-payments';

export const migrations: Migration[] = [
  ...messagingMigrations,
  ...rateLimitMigrations,
  createSchema,
  gatherFewStatistics,
  addAlertsOfDoubtfulPayments,
  turnOnAlertsOfDoubtfulPayments,
];
