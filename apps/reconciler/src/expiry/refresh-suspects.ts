import { BusinessError } from '@pay/contracts';
import type { IntentArrival, UnpayableArrival } from '../domain/arrivals';
import { NEWEST, refreshIntent, type RefreshIntentDeps } from '../intake/refresh-intent';

const MOST_AT_ONCE = 5;
/** So many failures together mean that intent-api is down. */
const MOST_FAILURES = 3;
/** No request begins after this part of the lease, so that the rest is enough for the last ones and the decisions. */
const ASKING_MS = 4_000;

export interface RefreshedSuspects {
  /** Suspects that intent-api has returned or deleted; and the choices that have not arrived. */
  readonly answered: readonly UnpayableArrival[];
  readonly choices: readonly IntentArrival[];
  /** Suspects that intent-api could not return. */
  readonly unanswered: readonly UnpayableArrival[];
  /** Suspects after the last request, because the time is over or intent-api is down. */
  readonly rest: readonly UnpayableArrival[];
}

/**
 * Reads the newest choices of suspects from intent-api: their events may wait in its outbox or in the queue, and FAILED
 * is never reversed.
 */
export async function refreshSuspects(
  deps: RefreshIntentDeps,
  suspects: readonly UnpayableArrival[],
): Promise<RefreshedSuspects> {
  const begun = performance.now();
  const answered: UnpayableArrival[] = [];
  const choices: IntentArrival[] = [];
  const unanswered: UnpayableArrival[] = [];
  for (let n = 0; n < suspects.length; n += MOST_AT_ONCE) {
    const rest = suspects.slice(n);
    if (performance.now() - begun > ASKING_MS) return { answered, choices, unanswered, rest };
    const asked = rest.slice(0, MOST_AT_ONCE);
    const answers = await Promise.all(asked.map((suspect) => newestChoice(deps, suspect)));
    const isDown = asked.length >= MOST_FAILURES && answers.every((answer) => answer === undefined);
    if (isDown) return { answered, choices, unanswered, rest };
    for (const [k, suspect] of asked.entries()) {
      const answer = answers[k];
      (answer === undefined ? unanswered : answered).push(suspect);
      choices.push(...(answer ?? []));
    }
  }
  return { answered, choices, unanswered, rest: [] };
}

/** Undefined without an answer. */
async function newestChoice(
  deps: RefreshIntentDeps,
  { tenant, intentId, reason }: UnpayableArrival,
): Promise<IntentArrival[] | undefined> {
  // No choice makes it payable.
  if (reason === 'merchant_switched_off') return [];
  try {
    return await refreshIntent(deps, tenant, intentId, NEWEST);
  } catch (error) {
    if (!(error instanceof BusinessError)) throw error;
    return error.code === 'NOT_FOUND' ? [] : undefined;
  }
}
