import type { Operation } from '@pay/contracts';
import {
  clientAddress,
  limitFailures,
  limitInvented,
  limitRequests,
  type KnownNames,
  type RateLimits,
} from '@pay/rate-limits';
import type { Request, RequestHandler } from 'express';
import { z } from 'zod';

export interface CheckoutLimitValues {
  readonly RATE_LIMIT_VIEWS_PER_MINUTE: number;
  readonly RATE_LIMIT_ADDRESS_PER_MINUTE: number;
  readonly RATE_LIMIT_METHODS_PER_MINUTE: number;
  readonly RATE_LIMIT_CONFIRMS_PER_MINUTE: number;
  readonly RATE_LIMIT_FAILED_CONFIRMS_PER_MINUTE: number;
}

export interface KnownIntents extends Pick<KnownNames, 'has'> {
  /** If the copy of the intent is stored, `has` returns true afterwards. */
  readonly find: (id: string) => Promise<boolean>;
}

/**
 * These confirms of an intent do not count against their address, which thousands of customers may share. An attacker
 * needs a new intent for every two further guesses.
 */
const UNCOUNTED_CONFIRMS = { name: 'checkout_first_confirm', count: 2, seconds: 3_600 };

/**
 * Rate limits of each public operation: per address, per address and intent (thousands of phones may share an address),
 * and per intent or failed confirm against guessing. Callers can invent ids of intents, so limits of an intent
 * distinguish known ids.
 */
export function limitCheckout(
  limits: RateLimits,
  values: CheckoutLimitValues,
  knownIntents: KnownIntents,
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
  // Looked up beyond the limit too: otherwise invented ids would lock out the customers who share the address.
  const inventedByAddress = limitInvented(
    limits,
    perMinute('checkout_unknown_confirm', values.RATE_LIMIT_FAILED_CONFIRMS_PER_MINUTE),
    clientAddress,
    { nameOf: intentOf, isKnown: knownIntents.has, find: async (id) => isId(id) && knownIntents.find(id) },
  );
  const failuresByAddress = limitFailures(
    limits,
    perMinute('checkout_failed_confirm', values.RATE_LIMIT_FAILED_CONFIRMS_PER_MINUTE),
    clientAddress,
    { limiter: limits.limiterOfProcess(UNCOUNTED_CONFIRMS), subjectOf: intentOf },
  );
  const guards: Readonly<Record<string, readonly RequestHandler[]>> = {
    getCheckout: [byAddress, byAddressAndIntent],
    chooseMethod: [byAddress, choicesByIntent],
    confirmCheckout: [confirmsByIntent, inventedByAddress, failuresByAddress],
  };
  return ({ id }) => guards[id] ?? [byAddress];
}

const LENGTH_OF_AN_ID = 36;
const idSchema = z.uuid();

function isId(text: string): boolean {
  return idSchema.safeParse(text).success;
}

/** The id is not validated yet, so it is truncated and normalised. */
function intentOf(request: Request): string {
  const id: unknown = request.params['id'];
  return typeof id === 'string' ? id.slice(0, LENGTH_OF_AN_ID).toLowerCase() : '';
}
