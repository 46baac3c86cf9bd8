import { z } from 'zod';
import { environmentSchema } from '../../environment';
import { pageQuerySchema } from '../pagination';
import { boundedText } from '../request-values';
import { instant } from './fields';
import { pageCursor, timestamp, uuidText } from '../request-fields';

/** `total` of the audit log is exact up to this number; use `after` to read further. */
export const MAX_COUNTED_AUDIT_ENTRIES = 10_000;

export const auditLogQuerySchema = pageQuerySchema.extend({
  actor: boundedText('actor', { max: 200 }).optional(),
  action: boundedText('action', { max: 80 }).optional(),
  subjectKind: boundedText('subjectKind', { max: 80 }).optional(),
  subjectId: uuidText('subjectId').optional(),
  from: instant('from').optional(),
  to: instant('to').optional(),
  after: pageCursor.describe('`nextCursor` of the previous page. New entries do not shift the following pages.'),
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

export const auditLogPageSchema = z.object({
  data: z.array(auditEntryResponseSchema),
  /** Exact up to 10,000. */
  total: z.int().nonnegative(),
  totalIsExact: z.boolean(),
  /** Cursor of the next page; null at the end. A page with fewer rows than `limit` may have a next page. */
  nextCursor: z.string().nullable(),
  page: z.int().positive(),
  limit: z.int().positive(),
});
