import { directoryMigrations } from '@pay/directory';
import { messagingMigrations } from '@pay/messaging';
import type { Migration } from '@pay/persistence';
import { rateLimitMigrations } from '@pay/rate-limits';
import { createIntentCopiesAndClaims } from './20261121100000-create-intent-copies-and-claims';
import { keepDeviceSightings } from './20261121200000-keep-device-sightings';
import { gatherFewStatisticsOfCopies } from './20261122150000-gather-few-statistics-of-copies';
import { keepSubmissionsOfClaims } from './20261122180000-keep-submissions-of-claims';
import { addEpochsOfIntents } from './20261122212500-add-epochs-of-intents';
import { addReannouncements } from './20261123020000-add-reannouncements';
import { keepTrxIdsOfPaidIntents } from './20261123091000-keep-trx-ids-of-paid-intents';
import { keepCheckoutActivity } from './20261124033000-keep-checkout-activity';

export const migrations: Migration[] = [
  ...messagingMigrations,
  ...directoryMigrations,
  createIntentCopiesAndClaims,
  ...rateLimitMigrations,
  keepDeviceSightings,
  gatherFewStatisticsOfCopies,
  keepSubmissionsOfClaims,
  addEpochsOfIntents,
  addReannouncements,
  keepTrxIdsOfPaidIntents,
  keepCheckoutActivity,
];
