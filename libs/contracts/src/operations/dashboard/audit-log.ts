import { auditLogPageSchema, auditLogQuerySchema } from '../../http/dashboard';
import { MANAGERS, page, section } from './common';

const api = section('Audit log');

export const listAuditLog = api.get('listAuditLog', '/v1/dashboard/audit-log', {
  summary: 'List changes in the audit log',
  description:
    'Each entry contains the record before and after the change, without keys, passwords and codes. `from` is inclusive, `to` is exclusive.',
  credential: MANAGERS,
  query: auditLogQuerySchema,
  answers: { 200: { description: page, body: auditLogPageSchema } },
});
