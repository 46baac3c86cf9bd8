import type { Operation } from '@pay/contracts';
import { clientAddress, limitFailures, limitRequests, type KnownNames, type RateLimits } from '@pay/rate-limits';
import type { Request, RequestHandler } from 'express';

export interface CheckoutLimitValues {
  readonly RATE_LIMIT_VIEWS_PER_MINUTE: number;
  readonly RATE_LIMIT_ADDRESS_PER_MINUTE: number;
  readonly RATE_LIMIT_METHODS_PER_MINUTE: number;
  readonly RATE_LIMIT_CONFIRMS_PER_MINUTE: number;
  readonly RATE_LIMIT_FAILED_CONFIRMS_PER_MINUTE: number;
}

/**
 * Rate limits of each public operation: per address, per address and intent (thousands of phones may share an address),
 * and per intent or failed confirm against guessing. Callers can invent ids of intents, so limits of an intent
 * distinguish known ids.
 */
export function limitCheckout(
  limits: RateLimits,
  values: CheckoutLimitValues,
  knownIntents: Pick<KnownNames, 'has'>,
): (operation: Pick<Operation, 'id'>) => readonly RequestHandler[] {
  const perMinute = (name: string, count: number) => limits.limiter({ name, count, seconds: 60 });
  const isKnown = (request: Request) => knownIntents.has(intentOf(request));
  const byAddress = limitRequests(
    limits,
    perMinute('checkout_address', values.RATE_LIMIT_ADDRESS_PER_MINUTE),
    clientAddress,
  );
  const byAddressAndIntent = limitRequests(
    limits,
    perMinute('checkout_view', values.RATE_LIMIT_VIEWS_PER_MINUTE),
    (request) => `${clientAddress(request)} ${intentOf(request)}`,
    isKnown,
  );
  const choicesByIntent = limitRequests(
    limits,
    perMinute('checkout_method', values.RATE_LIMIT_METHODS_PER_MINUTE),
    intentOf,
    isKnown,
  );
  const confirmsByIntent = limitRequests(
    limits,
    perMinute('checkout_confirm', values.RATE_LIMIT_CONFIRMS_PER_MINUTE),
    intentOf,
    isKnown,
  );
  const failuresByAddress = limitFailures(
    limits,
    perMinute('checkout_failed_confirm', values.RATE_LIMIT_FAILED_CONFIRMS_PER_MINUTE),
    clientAddress,
  );
  const guards: Readonly<Record<string, readonly RequestHandler[]>> = {
    getCheckout: [byAddress, byAddressAndIntent],
    chooseMethod: [byAddress, choicesByIntent],
    confirmCheckout: [confirmsByIntent, failuresByAddress],
  };
  return ({ id }) => guards[id] ?? [byAddress];
}

const LENGTH_OF_AN_ID = 36;

/** The id is not validated yet, so it is truncated to save memory, and normalised. */
function intentOf(request: Request): string {
  const id: unknown = request.params['id'];
  return typeof id === 'string' ? id.slice(0, LENGTH_OF_AN_ID).toLowerCase() : '';
}
