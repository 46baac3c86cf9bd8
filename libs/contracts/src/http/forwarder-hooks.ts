import { z } from 'zod';
import { FORWARDERS, forwarderSchema, SECRET_USE } from '../forwarder';
import { requestBody } from './request-body';
import { timestamp } from './request-fields';

/** Minimum of Textbee; the 8 characters that SMS Gateway for Android generates could be guessed. */
export const MIN_SIGNING_SECRET_LENGTH = 20;
const MAX_SIGNING_SECRET_LENGTH = 128;

/** Printable ASCII without spaces, which text fields of all apps preserve. Example: kY3v-9aQ_x7PzR2mWb5T */
const SIGNING_SECRET = /^[\x21-\x7e]*$/;

/** Body of POST /v1/dashboard/devices/:id/hooks. */
export const createForwarderHookRequestSchema = requestBody({
  adapter: z.enum(FORWARDERS, { error: `adapter is required and must be one of ${FORWARDERS.join(', ')}` }),
  signingSecret: z
    .string({ error: 'signingSecret must be a string' })
    .min(MIN_SIGNING_SECRET_LENGTH, `signingSecret must be at least ${MIN_SIGNING_SECRET_LENGTH} characters`)
    .max(MAX_SIGNING_SECRET_LENGTH, `signingSecret must be at most ${MAX_SIGNING_SECRET_LENGTH} characters`)
    .regex(SIGNING_SECRET, 'signingSecret must contain only printable ASCII characters without spaces')
    .nullish(),
})
  .refine(({ adapter, signingSecret }) => !signingSecret || SECRET_USE[adapter] !== 'nothing', {
    error: 'signingSecret must be omitted: this app does not support a secret',
    path: ['signingSecret'],
  })
  .meta({
    not: {
      properties: {
        adapter: { enum: FORWARDERS.filter((adapter) => SECRET_USE[adapter] === 'nothing') },
        signingSecret: { type: 'string' },
      },
      required: ['adapter', 'signingSecret'],
    },
  });

/** A hook in lists, without its credential. */
export const forwarderHookResponseSchema = z.object({
  id: z.uuid(),
  adapter: forwarderSchema,
  /** True if requests without the secret are rejected. */
  hasSecret: z.boolean(),
  /**
   * False: the app does not sign the text of an SMS, so LIVE accepts it only from a device that allows unsigned texts.
   */
  signsText: z.boolean(),
  createdAt: timestamp,
});
export type ForwarderHookResponse = z.infer<typeof forwarderHookResponseSchema>;

export const forwarderHookListSchema = z.object({ data: z.array(forwarderHookResponseSchema) });

/** `path` and `signingSecret` are returned only here. The path is relative to the public base URL of the API. */
export const createdForwarderHookSchema = forwarderHookResponseSchema.extend({
  path: z.string(),
  signingSecret: z.string().nullable(),
});

/**
 * Response to a forwarder app. PipraPay's app reads `status`, `success` and `time_stamp`, and of a list `results`; the
 * others look at the HTTP status alone.
 */
export const forwarderAnswerSchema = z.looseObject({
  status: z.enum(['true', 'false']),
  message: z.string(),
});
