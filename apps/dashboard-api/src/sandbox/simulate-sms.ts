import {
  internalIntentSchema,
  internalSimulationResponseSchema,
  internalSmsMatchSchema,
  type InternalIntent,
  type InternalSimulation,
  type SimulationResponse,
  BusinessError,
  withParsedNames,
} from '@pay/contracts';
import { ServiceCallFailed } from '@pay/http';
import { pollUntil } from '@pay/runtime';
import type { Peer, Peers } from '../clients/service-clients';

export type SimulateSmsDeps = Pick<Peers, 'smsIngest' | 'reconciler' | 'intentApi'>;

/** Maximum wait for the match and its effect on the intent. */
const LONGEST_WAIT_MS = 5_000;
const POLL_MS = 40;

/**
 * Most matches in review change their intent shortly after the decision. A match of an ended intent does not, so the
 * wait is short.
 */
const REVIEW_WAIT_MS = 1_000;

/** The SMS passes through the normal intake of SANDBOX. */
export async function simulateSms(
  deps: SimulateSmsDeps,
  merchantId: string,
  simulation: InternalSimulation,
): Promise<SimulationResponse> {
  const tenant = { merchantId, environment: 'SANDBOX' } as const;
  const { sms, smsEvent } = await asked(() =>
    deps.smsIngest.request('POST', '/internal/v1/sandbox/sms', {
      schema: internalSimulationResponseSchema,
      body: simulation,
      tenant,
    }),
  );
  const end = performance.now() + LONGEST_WAIT_MS;
  const ask = () => effectsOf(deps, merchantId, smsEvent.id);
  let effects = await pollUntil(ask, ({ isDecided }) => isDecided, { everyMs: POLL_MS, withinMs: LONGEST_WAIT_MS });
  if (isOnItsWayToReview(effects)) {
    const hasMoved = (now: Effects) => !isOnItsWayToReview(now);
    const withinMs = Math.min(REVIEW_WAIT_MS, end - performance.now());
    effects = await pollUntil(ask, hasMoved, { everyMs: POLL_MS, withinMs });
  }
  return { sms, smsEvent: withParsedNames(smsEvent), ...effects };
}

function isOnItsWayToReview({ match, paymentIntent }: Effects): boolean {
  return match?.status === 'REVIEW_REQUIRED' && paymentIntent?.status === 'PENDING';
}

type Effects = Pick<SimulationResponse, 'match' | 'paymentIntent' | 'isDecided'>;

export async function effectsOf(
  { reconciler, intentApi }: Pick<SimulateSmsDeps, 'reconciler' | 'intentApi'>,
  merchantId: string,
  smsEventId: string,
): Promise<Effects> {
  const { match } = await asked(() =>
    reconciler.request('GET', `/internal/v1/sms-events/${smsEventId}/match`, {
      schema: internalSmsMatchSchema,
      tenant: { merchantId, environment: 'SANDBOX' },
    }),
  );
  if (match === null) return { match, paymentIntent: null, isDecided: false };
  if (match.paymentIntentId === null) return { match, paymentIntent: null, isDecided: true };
  const { intent } = await findSandboxIntent(intentApi, merchantId, match.paymentIntentId);
  return {
    match,
    paymentIntent: shown(intent),
    isDecided: match.status !== 'MATCHED' || intent.status === 'PAID',
  };
}

/** Intents of other merchants and LIVE intents are NOT_FOUND. */
export async function findSandboxIntent(intentApi: Peer, merchantId: string, id: string): Promise<InternalIntent> {
  const found = await asked(() =>
    intentApi.request('GET', `/internal/v1/intents/${id}`, { schema: internalIntentSchema }),
  );
  if (found.merchantId !== merchantId || found.environment !== 'SANDBOX') throw new BusinessError('NOT_FOUND');
  return found;
}

export function shown(intent: InternalIntent['intent']): NonNullable<SimulationResponse['paymentIntent']> {
  const { id, status, amount, currency, customerReference, merchantReference } = intent;
  const { paymentMethod, receiverMsisdn, expiresAt, paidAt } = intent;
  return {
    id,
    status,
    amount,
    currency,
    customerReference,
    merchantReference,
    paymentMethod,
    receiverMsisdn,
    expiresAt,
    paidAt,
  };
}

/** No response becomes 503, and 429 is passed on. */
async function asked<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof ServiceCallFailed)) throw error;
    if (error.kind === 'rejected' && error.code === 'FORBIDDEN') throw new BusinessError('FORBIDDEN');
    if (error.status === 429) throw new BusinessError('BUSY', undefined, 1);
    throw new BusinessError('SERVICE_UNAVAILABLE');
  }
}
