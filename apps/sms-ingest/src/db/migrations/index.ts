import { directoryMigrations } from '@pay/directory';
import { messagingMigrations } from '@pay/messaging';
import { gatherFewStatistics, type Migration } from '@pay/persistence';
import { rateLimitMigrations } from '@pay/rate-limits';
import { createSchema } from './20261127190300-create-schema';
import { dropIsKeyedOfFingerprints } from './20261127230000-drop-is-keyed-of-fingerprints';
import { storeWhenTextsArePassedOver } from './20261127233000-store-when-texts-are-passed-over';
import { indexDoubtfulPayments } from './20261127233100-index-doubtful-payments';
import { storeWhetherReceiversAreStated } from './20261128094000-store-whether-receivers-are-stated';
import { recheckPlacesThatTextsLeave } from './20261128164800-recheck-places-that-texts-leave';

export const migrations: Migration[] = [
  ...messagingMigrations,
  ...directoryMigrations,
  ...rateLimitMigrations,
  createSchema,
  gatherFewStatistics,
  dropIsKeyedOfFingerprints,
  storeWhenTextsArePassedOver,
  indexDoubtfulPayments,
  storeWhetherReceiversAreStated,
  recheckPlacesThatTextsLeave,
];
