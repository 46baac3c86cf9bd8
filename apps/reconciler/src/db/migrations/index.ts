import { directoryMigrations } from '@pay/directory';
import { messagingMigrations } from '@pay/messaging';
import { gatherFewStatistics, type Migration } from '@pay/persistence';
import { createSchema } from './20261127190300-create-schema';
import { correctLegalMovesOfMatches } from './20261127200000-correct-legal-moves-of-matches';
import { reopenMatchesAsTheyWere } from './20261127230500-reopen-matches-as-they-were';
import { storeThePlaceOfTheVerification } from './20261128100500-store-the-place-of-the-verification';
import { storeTheTimeOfARejection } from './20261128163500-store-the-time-of-a-rejection';
import { countSubmissionsOfClaims } from './20261128225000-count-submissions-of-claims';

export const migrations: Migration[] = [
  ...messagingMigrations,
  ...directoryMigrations,
  createSchema,
  gatherFewStatistics,
  correctLegalMovesOfMatches,
  reopenMatchesAsTheyWere,
  storeThePlaceOfTheVerification,
  storeTheTimeOfARejection,
  countSubmissionsOfClaims,
];
