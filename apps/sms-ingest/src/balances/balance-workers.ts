import { every, type Worker } from '@pay/runtime';
import { followBalances, type FollowBalancesDeps } from './follow-balances';
import { openMissingSms, type OpenMissingSmsDeps } from './open-missing-sms';

const FOLLOW_INTERVAL_MS = 500;
const OPEN_INTERVAL_MS = 1_000;

/** The workers that check balance chains and report missing SMS. */
export function balanceWorkers(deps: FollowBalancesDeps & OpenMissingSmsDeps): Worker[] {
  const { log } = deps;
  return [
    every('follow-balances', FOLLOW_INTERVAL_MS, (signal) => followBalances(deps, signal), { log }),
    every('open-missing-sms', OPEN_INTERVAL_MS, () => openMissingSms(deps), { log }),
  ];
}
