import { auditEntryResponseSchema, auditLogQuerySchema } from '../../http/dashboard';
import { pageOf } from '../../http/pagination';
import { operation } from '../operation';
import { MANAGERS, page, service } from './common';

export const listAuditLog = operation({
  id: 'listAuditLog',
  service,
  method: 'get',
  path: '/v1/dashboard/audit-log',
  tag: 'Audit log',
  summary: 'List changes in the audit log',
  description:
    'Each entry contains the record before and after the change, without keys, passwords and codes. `from` is inclusive, `to` is exclusive.',
  credential: MANAGERS,
  query: auditLogQuerySchema,
  answers: { 200: { description: page, body: pageOf(auditEntryResponseSchema) } },
});
