import { directoryMigrations } from '@pay/directory';
import { messagingMigrations } from '@pay/messaging';
import type { Migration } from '@pay/persistence';
import { rateLimitMigrations } from '@pay/rate-limits';
import { createSmsEvents } from './20261121100000-create-sms-events';
import { keepWhatOtherTextsSay } from './20261121170000-keep-what-other-texts-say';
import { sealTexts } from './20261121200000-seal-texts';
import { followBalances } from './20261121200100-follow-balances';
import { watchDevices } from './20261121200200-watch-devices';
import { keepHowTextsWereAuthenticated } from './20261122181002-keep-how-texts-were-authenticated';
import { indexFingerprintsOfSms } from './20261122213300-index-fingerprints-of-sms';
import { addDecisionEpochs } from './20261122212400-add-decision-epochs';
import { restrictSimulatedSmsToSandbox } from './20261123053000-restrict-simulated-sms-to-sandbox';
import { addReannouncements } from './20261123020000-add-reannouncements';
import { addReportsOfSmsEvents } from './20261123140500-add-reports-of-sms-events';
import { indexSmsEventsOfTenant } from './20261123140501-index-sms-events-of-tenant';
import { indexReportedSmsEvents } from './20261123140502-index-reported-sms-events';
import { reportWaitingSms } from './20261124060000-report-waiting-sms';
import { requireEncryptedTexts } from './20261124173000-require-encrypted-texts';
import { dropColumnsOfPlainTexts } from './20261126033000-drop-columns-of-plain-texts';

export const migrations: Migration[] = [
  ...messagingMigrations,
  ...directoryMigrations,
  createSmsEvents,
  ...rateLimitMigrations,
  keepWhatOtherTextsSay,
  sealTexts,
  followBalances,
  watchDevices,
  keepHowTextsWereAuthenticated,
  indexFingerprintsOfSms,
  addDecisionEpochs,
  addReannouncements,
  restrictSimulatedSmsToSandbox,
  addReportsOfSmsEvents,
  indexSmsEventsOfTenant,
  indexReportedSmsEvents,
  reportWaitingSms,
  requireEncryptedTexts,
  dropColumnsOfPlainTexts,
];
