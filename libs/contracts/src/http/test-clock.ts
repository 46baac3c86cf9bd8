import { z } from 'zod';
import { requestBody } from './request-body';
import { factTimeText } from './request-values';
import { sandboxEnvironment, timestamp, uuidText, wholeNumber } from './request-fields';

/** Longest advance of a test clock by one request. */
export const MAX_ADVANCE_SECONDS = 30 * 86_400;
const MOST_NAMED_INTENTS = 100;

/**
 * `POST /internal/v1/test-clock/steps` of intent-api, reconciler and webhook-dispatcher, for the SANDBOX tenant of the
 * headers; LIVE is refused. Each service moves its deadlines once per `stepId`. A repeated request moves nothing and
 * answers what is still pending.
 */
export const testClockStepSchema = z.object({
  stepId: z.uuid(),
  milliseconds: z
    .int()
    .positive()
    .max(MAX_ADVANCE_SECONDS * 1_000),
  /** intent-api: only these intents move; absent: all open intents of the tenant. */
  paymentIntentIds: z.array(z.uuid().toLowerCase()).min(1).max(MOST_NAMED_INTENTS).optional(),
});
export type TestClockStep = z.infer<typeof testClockStepSchema>;

/**
 * intent-api: `expiring` are the intents whose time ended with this step, `pending` those of them without a decision.
 */
export const movedExpiriesSchema = z.object({ expiring: z.array(z.uuid()), pending: z.int().nonnegative() });
export type MovedExpiries = z.infer<typeof movedExpiriesSchema>;

/**
 * intent-api `GET /internal/v1/test-clock/last-expiry`: milliseconds until the last expiry within the given time; null
 * without one.
 */
export const lastExpiryQuerySchema = z.object({ within: z.coerce.number().int().positive() });
export const lastExpirySchema = z.object({ milliseconds: z.int().positive().nullable() });

/** reconciler: whether match windows have moved, which waits until nothing that was taken in before is undecided. */
export const movedWindowsSchema = z.object({ isDone: z.boolean() });
export type MovedWindows = z.infer<typeof movedWindowsSchema>;

/** webhook-dispatcher: `millisecondsLeft` are not played yet, `due` deliveries wait for an attempt or its result. */
export const playedDeliveriesSchema = z.object({
  millisecondsLeft: z.int().nonnegative(),
  due: z.int().nonnegative(),
});
export type PlayedDeliveries = z.infer<typeof playedDeliveriesSchema>;

/**
 * webhook-dispatcher `POST /internal/v1/test-clock/unsettled-intents`: how many of the intents have no event in the
 * feed, or a delivery that is due or under way.
 */
export const MOST_INTENTS_ASKED = 1_000;
export const unsettledIntentsRequestSchema = z.object({ intentIds: z.array(z.uuid()).max(MOST_INTENTS_ASKED) });
export const unsettledIntentsSchema = z.object({ unsettled: z.int().nonnegative() });

export const testClockQuerySchema = z.object({ environment: sandboxEnvironment });

const requestId = uuidText('requestId')
  .nullish()
  .meta({
    description:
      'Makes the request idempotent: the last advance is not repeated for its requestId. With other `seconds` or another `to` than ' +
      'before it returns 422. A reset forgets it.',
  });
export const REQUEST_ID_REUSED =
  'requestId was already used for another advance. Use a new requestId for a new advance.';

/** Body of an advance by a duration. */
export const advanceBySecondsSchema = requestBody({
  environment: sandboxEnvironment,
  seconds: wholeNumber(
    'seconds',
    1,
    MAX_ADVANCE_SECONDS,
    'seconds is required, unless there is to, and must be a whole number',
  ).meta({ description: 'How much time passes.' }),
  requestId,
});

/** Body of an advance to a time. */
export const advanceToTimeSchema = requestBody({
  environment: sandboxEnvironment,
  to: factTimeText('to').meta({
    description:
      'Time to advance to, such as the `expiresAt` of an intent: as much time passes as there is until then, at most 30 days.',
  }),
  requestId,
});

/** Body of an advance: `to` decides which of the two shapes applies. */
export const anyAdvanceSchema = z.looseObject({}, { error: 'body must be a JSON object' });
export const describedAdvanceSchema = z.union([
  advanceBySecondsSchema.extend({ to: z.never().optional() }),
  advanceToTimeSchema,
]);

export const resetTestClockRequestSchema = requestBody({ environment: sandboxEnvironment });

/** The waits of an advance, in order. */
export const testClockWaitSchema = z.enum(['services', 'intake', 'webhooks', 'expiry']);
export type TestClockWait = z.infer<typeof testClockWaitSchema>;

export const testClockSchema = z
  .object({
    environment: z.literal('SANDBOX'),
    status: z.enum(['ready', 'advancing']),
    now: timestamp.meta({ description: 'Current time. The clock runs in real time between advances.' }),
    advancedSeconds: z.number().nonnegative().meta({ description: 'Sum of all advances since the last reset.' }),
    requestId: z.uuid().nullable().meta({ description: 'requestId of the last advance since the last reset.' }),
    pending: z
      .object({
        secondsLeft: z.number().nonnegative().meta({ description: 'Seconds of the advance that are not applied yet.' }),
        waitsFor: testClockWaitSchema.meta({
          description:
            'services: a service does not respond. intake: an accepted SMS or claim has no decision. webhooks: a delivery is ' +
            'in progress. expiry: an intent is past its expiry and has no decision.',
        }),
      })
      .nullable()
      .meta({ description: 'Null if the clock is ready.' }),
  })
  .meta({ id: 'TestClock' });
export type TestClock = z.infer<typeof testClockSchema>;
