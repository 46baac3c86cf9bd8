import { directoryMigrations } from '@pay/directory';
import { messagingMigrations } from '@pay/messaging';
import type { Migration } from '@pay/persistence';
import { rateLimitMigrations } from '@pay/rate-limits';
import { createDeliveries } from './20261121100100-create-deliveries';
import { createEndpoints } from './20261121100000-create-endpoints';
import { vacuumDeliveriesEarly } from './20261121110000-vacuum-deliveries-early';
import { verifyRotateRecover } from './20261121200000-verify-rotate-recover';
import { indexRestingDeliveries } from './20261121200001-index-resting-deliveries';
import { noticeDeadSenders } from './20261121250000-notice-dead-senders';
import { countPlannedDeliveries } from './20261122200000-count-planned-deliveries';
import { indexFeedByTime } from './20261122213000-index-feed-by-time';
import { indexHeldDeliveries } from './20261122213001-index-held-deliveries';
import { storeAmountsOfEvents } from './20261123054500-store-amounts-of-events';
import { addTestClockSteps } from './20261123060200-add-test-clock-steps';
import { countDeliveries } from './20261124020000-count-deliveries';
import { fillDeliveryCounts } from './20261124020001-fill-delivery-counts';
import { indexDeliveriesOfTenantWithFilters } from './20261124020002-index-deliveries-of-tenant-with-filters';
import { indexDeliveriesOfEndpointWithFilters } from './20261124020003-index-deliveries-of-endpoint-with-filters';
import { dropIndexesWithoutFilters } from './20261124020004-drop-indexes-without-filters';
import { dropTimeRangeIndexOfEvents } from './20261124174000-drop-time-range-index-of-events';
import { markDeletedEndpointsWithoutDeliveries } from './20261126141500-mark-deleted-endpoints-without-deliveries';
import { indexPaidEventsByOccurrence } from './20261127164000-index-paid-events-by-occurrence';

export const migrations: Migration[] = [
  ...messagingMigrations,
  ...directoryMigrations,
  createEndpoints,
  createDeliveries,
  vacuumDeliveriesEarly,
  verifyRotateRecover,
  indexRestingDeliveries,
  ...rateLimitMigrations,
  noticeDeadSenders,
  countPlannedDeliveries,
  indexFeedByTime,
  indexHeldDeliveries,
  storeAmountsOfEvents,
  addTestClockSteps,
  countDeliveries,
  fillDeliveryCounts,
  indexDeliveriesOfTenantWithFilters,
  indexDeliveriesOfEndpointWithFilters,
  dropIndexesWithoutFilters,
  dropTimeRangeIndexOfEvents,
  markDeletedEndpointsWithoutDeliveries,
  indexPaidEventsByOccurrence,
];
