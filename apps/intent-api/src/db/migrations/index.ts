import { directoryMigrations } from '@pay/directory';
import { messagingMigrations } from '@pay/messaging';
import type { Migration } from '@pay/persistence';
import { rateLimitMigrations } from '@pay/rate-limits';
import { createPaymentIntents } from './20261121100000-create-payment-intents';
import { countIntentsAndTakings } from './20261121150000-count-intents-and-takings';
import { keepShownReceivers } from './20261121220000-keep-shown-receivers';
import { gatherStatisticsOfWhatIsSearched } from './20261122150000-gather-statistics-of-what-is-searched';
import { indexPaidIntents } from './20261122200000-index-paid-intents';
import { indexTakingsByDay } from './20261122213200-index-takings-by-day';
import { nameIntentsOfSteps } from './20261123070500-name-intents-of-steps';
import { keepChoiceOfPaidIntents } from './20261123090000-keep-choice-of-paid-intents';
import { addTestClockSteps } from './20261123060000-add-test-clock-steps';
import { countIntentsByHour } from './20261124170000-count-intents-by-hour';
import { fillHourlyIntentCounts } from './20261124170001-fill-hourly-intent-counts';
import { addDecisionEpochs } from './20261122212200-add-decision-epochs';
import { keepTrxIdsOfPayments } from './20261126150000-keep-trx-ids-of-payments';

export const migrations: Migration[] = [
  ...messagingMigrations,
  ...directoryMigrations,
  createPaymentIntents,
  countIntentsAndTakings,
  ...rateLimitMigrations,
  keepShownReceivers,
  gatherStatisticsOfWhatIsSearched,
  indexPaidIntents,
  indexTakingsByDay,
  addDecisionEpochs,
  addTestClockSteps,
  nameIntentsOfSteps,
  keepChoiceOfPaidIntents,
  countIntentsByHour,
  fillHourlyIntentCounts,
  keepTrxIdsOfPayments,
];
