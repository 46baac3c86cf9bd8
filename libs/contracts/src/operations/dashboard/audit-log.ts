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
  summary: 'List who changed what',
  description:
    'Every change with the record before and after it, without keys, passwords and codes. `from` is included, `to` is not.',
  credential: MANAGERS,
  query: auditLogQuerySchema,
  answers: { 200: { description: page, body: pageOf(auditEntryResponseSchema) } },
});
