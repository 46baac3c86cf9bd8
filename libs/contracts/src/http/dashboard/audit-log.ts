import { z } from 'zod';
import { environmentSchema } from '../../environment';
import { pageQuerySchema } from '../pagination';
import { boundedText } from '../request-values';
import { instant } from './fields';
import { timestamp, uuidText } from '../request-fields';

export const auditLogQuerySchema = pageQuerySchema.extend({
  actor: boundedText('actor', { max: 200 }).optional(),
  action: boundedText('action', { max: 80 }).optional(),
  subjectKind: boundedText('subjectKind', { max: 80 }).optional(),
  subjectId: uuidText('subjectId').optional(),
  from: instant('from').optional(),
  to: instant('to').optional(),
});

const recorded = z.record(z.string(), z.unknown()).nullable();

export const auditEntryResponseSchema = z.object({
  id: z.uuid(),
  at: timestamp,
  actor: z.string(),
  action: z.string(),
  subjectKind: z.string(),
  subjectId: z.uuid(),
  environment: environmentSchema.nullable(),
  before: recorded,
  after: recorded,
  /** Reason, if the operation requires one. */
  reason: z.string().nullable(),
});
export type AuditEntryResponse = z.infer<typeof auditEntryResponseSchema>;
