import { z } from 'zod';
import { intentStatusSchema } from '../status';
import { environmentOrSandbox } from './request-fields';

/** Topics of a stream of changes. Ignore unknown topics. */
export const CHANGE_TOPICS = ['payments', 'exceptions', 'devices'] as const;
export type ChangeTopic = (typeof CHANGE_TOPICS)[number];

/** Query of GET /v1/dashboard/changes. */
export const watchChangesQuerySchema = z.object({
  environment: environmentOrSandbox.describe('Changes of one environment. Default: SANDBOX.'),
});

/** intent-api `GET /internal/v1/intent-counts`: intents by status. Every change of a status changes a number. */
export const intentCountsSchema = z.partialRecord(intentStatusSchema, z.int().nonnegative());

/** The event `changed` of a stream of changes. It contains no data: request the shown lists again. */
export const changedEventSchema = z.object({ topics: z.array(z.enum(CHANGE_TOPICS)) });
