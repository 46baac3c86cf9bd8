import { z } from 'zod';
import { ALERT_KINDS, alertKindSchema } from '../alert-kind';
import { environmentSchema } from '../environment';
import { listChange, ONE_BY_ONE } from './list-change';
import { pageOf, pageQuerySchema } from './pagination';
import { requestBody } from './request-body';
import { environmentOrSandbox, requiredEnvironment, timestamp } from './request-fields';

/** An exception is part of an alert when it has been open for so long. */
export const EXCEPTION_ALERT_MINUTES = 60;
/** An endpoint is part of an alert when it has accepted nothing for so long. */
export const ENDPOINT_ALERT_MINUTES = 15;
/** A missing SMS is part of an alert for so long after it was found. */
export const MISSING_SMS_ALERT_HOURS = 24;
/** A payment by an SMS that was passed over is the subject of an alert for so long after both are known. */
export const DOUBTFUL_PAYMENT_ALERT_HOURS = 24;

/** Tenants in one question to a service. */
export const MAX_PROBLEM_TENANTS = 200;
/** Problems in one answer of a service. */
export const MAX_PROBLEMS = 5_000;

/** Body of `POST /internal/v1/problems` of sms-ingest, reconciler and webhook-dispatcher. */
export const findProblemsRequestSchema = z.object({
  tenants: z.array(z.object({ merchantId: z.uuid(), environment: environmentSchema })).max(MAX_PROBLEM_TENANTS),
  /** Kinds that the caller knows; a later version may name others. */
  kinds: z.array(z.string()),
});

/** Something that a merchant is alerted of while it lasts. */
export const problemSchema = z.object({
  merchantId: z.uuid(),
  environment: environmentSchema,
  kind: alertKindSchema,
  /** Id of a device, endpoint or payment, kind of the exceptions, or `all`. One alert is open per kind and subject. */
  subject: z.string().min(1).max(60),
  /** Host of an endpoint. */
  name: z.string().nullable(),
  count: z.int().positive(),
  /** Of the oldest, if there are several. */
  since: timestamp,
});
export type Problem = z.infer<typeof problemSchema>;

/** `isComplete` is false if there are more than MAX_PROBLEMS, or more of one kind and tenant than a service returns. */
export const problemsSchema = z.object({
  problems: z.array(problemSchema),
  isComplete: z.boolean(),
  /** If given, the problems of all other tenants and kinds are complete. A service of the version before omits it. */
  incomplete: z.array(problemSchema.pick({ merchantId: true, environment: true, kind: true })).optional(),
});
export type Problems = z.infer<typeof problemsSchema>;

/** Query of GET /v1/dashboard/alert-settings. */
export const alertSettingsQuerySchema = z.object({ environment: environmentOrSandbox });

/** Body of PUT /v1/dashboard/alert-settings. */
export const changeAlertSettingsRequestSchema = requestBody({
  environment: requiredEnvironment,
  kinds: listChange('kinds', ALERT_KINDS).describe(
    `An array replaces the whole list; an empty one turns alerts off. ${ONE_BY_ONE}`,
  ),
});

export const alertSettingsResponseSchema = z
  .object({
    environment: environmentSchema,
    kinds: z.array(alertKindSchema).describe('Default: all in LIVE, none in SANDBOX.'),
  })
  .meta({ id: 'AlertSettings' });
export type AlertSettings = z.infer<typeof alertSettingsResponseSchema>;

/** Query of GET /v1/dashboard/alerts. */
export const alertListQuerySchema = pageQuerySchema.extend({ environment: environmentOrSandbox });

export const alertResponseSchema = z
  .object({
    id: z.uuid(),
    environment: environmentSchema,
    kind: alertKindSchema,
    subject: z.string().describe('Id of the device, endpoint or payment intent, kind of the exceptions, or `all`.'),
    name: z.string().nullable().describe('Name of the device or host of the endpoint when the alert was opened.'),
    count: z.int().positive(),
    since: timestamp.describe('Time of the oldest problem.'),
    openedAt: timestamp,
    mailedAt: timestamp.nullable(),
    closedAt: timestamp.nullable().describe('Null while the problem lasts.'),
  })
  .meta({ id: 'Alert' });
export type AlertResponse = z.infer<typeof alertResponseSchema>;

export const alertPageSchema = pageOf(alertResponseSchema);
