import { directoryMigrations } from '@pay/directory';
import { messagingMigrations } from '@pay/messaging';
import type { Migration } from '@pay/persistence';
import { createDecisions } from './20261121110000-create-decisions';
import { countWhatChanged } from './20261121160000-let-the-database-count-what-changed';
import { noteSwitchOffs } from './20261121160001-note-what-was-switched-off';
import { keepDoubts } from './20261121200000-keep-what-evidence-is-doubted-for';
import { letPeopleDecide } from './20261121230000-let-people-decide';
import { chainDecisions } from './20261121240000-chain-decisions';
import { indexClaimsOfIntents } from './20261121240001-index-claims-of-intents';
import { findExceptions } from './20261122030000-find-exceptions-by-what-people-know';
import { findReceiverByIndex } from './20261122030001-find-a-receiver-by-index-always';
import { keepSubmissionsOfClaims } from './20261122180000-keep-submissions-of-claims';
import { addDisputes } from './20261122180001-add-disputes';
import { addAuthenticityOfEvidence } from './20261122181000-add-authenticity-of-evidence';
import { letRetentionDeleteRecords } from './20261122213100-let-retention-delete-records';
import { indexMatchesInReview } from './20261122213101-index-matches-in-review';
import { storePaidAmountsOfDecisions } from './20261123055000-store-paid-amounts-of-decisions';
import { addEpochsOfFacts } from './20261122212300-add-epochs-of-facts';
import { addTestClockSteps } from './20261123060100-add-test-clock-steps';
import { indexPayersOfPayments } from './20261123091500-index-payers-of-payments';
import { storeHowDecisionsPaid } from './20261124170000-store-how-decisions-paid';
import { dropSecondUniquenessOfPayments } from './20261124174100-drop-second-uniqueness-of-payments';
import { compareEpochsOfReparsedTexts } from './20261126143000-compare-epochs-of-re-parsed-texts';
import { alignRevisions } from './20261127090000-align-revisions-of-matches';
import { indexOpenClaims } from './20261127093000-index-open-claims-by-their-latest-submission';
import { gatherFewStatisticsOfOpenClaims } from './20261127093001-gather-few-statistics-of-open-claims';
import { indexSettledClaims } from './20261127125500-index-settled-claims-by-trx-id';
import { extendLegalMovesOfMatches } from './20261127162100-extend-legal-moves-of-matches';

export const migrations: Migration[] = [
  ...messagingMigrations,
  ...directoryMigrations,
  createDecisions,
  countWhatChanged,
  noteSwitchOffs,
  keepDoubts,
  letPeopleDecide,
  chainDecisions,
  indexClaimsOfIntents,
  findExceptions,
  findReceiverByIndex,
  keepSubmissionsOfClaims,
  addDisputes,
  addAuthenticityOfEvidence,
  letRetentionDeleteRecords,
  indexMatchesInReview,
  addEpochsOfFacts,
  storePaidAmountsOfDecisions,
  addTestClockSteps,
  indexPayersOfPayments,
  storeHowDecisionsPaid,
  dropSecondUniquenessOfPayments,
  compareEpochsOfReparsedTexts,
  alignRevisions,
  indexOpenClaims,
  gatherFewStatisticsOfOpenClaims,
  indexSettledClaims,
  extendLegalMovesOfMatches,
];
