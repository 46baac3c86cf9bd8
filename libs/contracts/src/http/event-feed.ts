import { z } from 'zod';
import { feedEventTypeSchema } from '../status';
import { pageQuerySchema } from './pagination';
import { feedPayloadSchemas } from './webhooks';
import { timestamp } from './request-fields';

const TYPE_SENTENCE = `type must be one of ${feedEventTypeSchema.options.join(', ')}`;

/** Query of GET /v1/events. */
export const eventFeedQuerySchema = z.object({
  after: z
    .string()
    .regex(/^\d{1,18}$/, 'after must be a nextCursor of this feed')
    .transform(Number)
    .optional()
    .meta({
      type: 'string',
      minLength: 1,
      maxLength: 18,
      pattern: '^\\d{1,18}$',
      description: 'A `nextCursor` of this feed. Default: the oldest event.',
    }),
  limit: pageQuerySchema.shape.limit,
  type: z.enum(feedEventTypeSchema.options, { error: TYPE_SENTENCE }).optional(),
});

/** An event in the feed. */
export const feedEventSchema = z
  .object({
    id: z.uuid(),
    type: feedEventTypeSchema,
    createdAt: timestamp,
    payload: z
      .union(Object.values(feedPayloadSchemas))
      .meta({ description: 'The body of the webhook. `payment.failed` is not sent as a webhook.' }),
  })
  .meta({ id: 'Event' });

export const eventPageSchema = z.object({
  data: z.array(feedEventSchema),
  nextCursor: z.string().meta({
    description:
      'Send it as `after` in the next request. An empty page returns the given cursor, or with `type` a later one after events of other types.',
  }),
});
