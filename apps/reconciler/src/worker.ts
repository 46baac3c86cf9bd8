import { every, type Worker } from '@pay/runtime';
import { closeMatchWindows } from './expiry/close-match-windows';
import { deleteOldRecords, type DeleteOldRecordsDeps } from './retention/delete-old-records';
import { expireIntents, type ExpireIntentsDeps } from './expiry/expire-intents';
import { failUnpayable, type FailUnpayableDeps } from './expiry/fail-unpayable';
import { openEvents, handleEvents } from './intake/handle-events';
import { sealDecisions, type SealDecisionsDeps } from './decision-chain/seal-decisions';
import { verificationRounds, type VerifyChainsDeps } from './decision-chain/verify-chains';
import type { ServiceDeps } from './service-deps';

export type WorkerDeps = Pick<ServiceDeps, 'messaging' | 'directory'> &
  ExpireIntentsDeps &
  SealDecisionsDeps &
  VerifyChainsDeps &
  DeleteOldRecordsDeps &
  Pick<FailUnpayableDeps, 'askTenantFacts'> & { readonly expiryIntervalMs: number };

const MATCH_WINDOW_INTERVAL_MS = 60_000;
const SWITCH_OFF_INTERVAL_MS = 1_000;
const SEAL_INTERVAL_MS = 500;
const RETENTION_INTERVAL_MS = 60_000;
const VERIFY_INTERVAL_MS = 60_000;

/**
 * Batch size: the messages of a transaction share its fixed cost, and a batch takes a small part of the second for
 * which a backlog may delay other merchants.
 */
const BATCH = 250;

/** All workers besides the private HTTP server. */
export function createWorkers(deps: WorkerDeps): Worker[] {
  const { messaging, directory, log } = deps;
  return [
    messaging.relay(),
    messaging.consumer({
      queue: 'reconciler.events',
      batchSize: BATCH,
      prepare: (tx, events) => openEvents(deps, tx, events),
      handle: (tx, events, opened) => handleEvents(deps, tx, events, opened),
    }),
    every('expire-intents', deps.expiryIntervalMs, (signal) => expireIntents(deps, signal), { log }),
    every('close-match-windows', MATCH_WINDOW_INTERVAL_MS, (signal) => closeMatchWindows(deps, signal), { log }),
    every('fail-unpayable', SWITCH_OFF_INTERVAL_MS, (signal) => failUnpayable(deps, signal), { log }),
    every('seal-decisions', SEAL_INTERVAL_MS, (signal) => sealDecisions(deps, signal), { log }),
    every('verify-chains', VERIFY_INTERVAL_MS, verificationRounds(deps), { log }),
    every('delete-old-records', RETENTION_INTERVAL_MS, (signal) => deleteOldRecords(deps, signal), { log }),
    directory.controlConsumer(),
    directory.resendWhenEmpty(),
  ];
}
