import { MAX_SMS_BATCH } from '@pay/contracts';
import { answerRefusal, deviceOf } from '@pay/http';
import type { Limit, FormatRefusal } from '@pay/rate-limits';
import { integer } from '@pay/runtime';
import type { RequestHandler } from 'express';
import type { z } from 'zod';
import type { Admission, AdmissionBounds } from './admission';

const waiting = () => integer({ min: MAX_SMS_BATCH, max: 1_000_000 });

/** Settings of the intake limits. */
export const intakeLimitSettings = {
  RATE_LIMIT_DEVICE_PER_SECOND: integer({ min: 1, max: 1_000_000 })
    .default(50)
    .describe(
      'SMS requests per second with the key of one device, and to its hooks from one address, also the largest burst; more are answered 429',
    ),
  RATE_LIMIT_UNAUTHORIZED_PER_MINUTE: integer({ min: 1, max: 1_000_000 })
    .default(300)
    .describe(
      'Unknown device keys and hook addresses per minute from one client address; beyond it only recently used credentials are accepted, others are answered 429',
    ),
  SMS_WAITING_PER_DEVICE: waiting()
    .default(2_000)
    .describe(
      'Maximum number of SMS of one device that wait for the database in one process; more are answered 429 BUSY',
    ),
  SMS_WAITING_PER_MERCHANT: waiting()
    .default(5_000)
    .describe(
      'Maximum number of SMS of one merchant that wait for the database in one process; more are answered 429 BUSY',
    ),
  SMS_WAITING: waiting()
    .default(10_000)
    .describe(
      'Maximum number of SMS of all merchants that wait for the database in one process; more are answered 429 BUSY',
    ),
  SMS_LONGEST_WAIT_MS: integer({ min: 100, max: 60_000 })
    .default(5_000)
    .describe(
      'Longest wait in milliseconds of an SMS for the database; when it is exceeded, new SMS of that merchant are answered 429 BUSY',
    ),
} satisfies z.ZodRawShape;

export type IntakeLimits = { readonly [Key in keyof typeof intakeLimitSettings]: number };

export function admissionBoundsOf(limits: IntakeLimits): AdmissionBounds {
  return {
    all: limits.SMS_WAITING,
    perMerchant: limits.SMS_WAITING_PER_MERCHANT,
    perDevice: limits.SMS_WAITING_PER_DEVICE,
    longestWaitMs: limits.SMS_LONGEST_WAIT_MS,
  };
}

export function unknownCredentialLimitOf(limits: IntakeLimits): Limit {
  return { name: 'unauthorized', count: limits.RATE_LIMIT_UNAUTHORIZED_PER_MINUTE, seconds: 60 };
}

export function deviceLimitOf(limits: IntakeLimits): Limit {
  return { name: 'device', count: limits.RATE_LIMIT_DEVICE_PER_SECOND, seconds: 1 };
}

export function hookLimitOf(limits: IntakeLimits): Limit {
  return { name: 'device_hooks', count: limits.RATE_LIMIT_DEVICE_PER_SECOND, seconds: 1 };
}

/** Refuses a request before its body is read if it would be refused in any case. */
export function refuseWhileBusy(
  admission: Pick<Admission, 'refusalOf'>,
  formatRefusal?: FormatRefusal,
): RequestHandler {
  return (request, response, next) => {
    const refusal = admission.refusalOf(deviceOf(response));
    if (refusal === undefined) next();
    else answerRefusal(response, formatRefusal?.(request)(refusal) ?? refusal);
  };
}
