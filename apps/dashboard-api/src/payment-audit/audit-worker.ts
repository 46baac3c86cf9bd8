import { every, type Worker } from '@pay/runtime';
import { paymentAudit, type AuditPaymentsDeps } from './audit-payments';

export function auditWorker(deps: AuditPaymentsDeps & { readonly intervalSeconds: number }): Worker {
  return every('payment-audit', deps.intervalSeconds * 1_000, paymentAudit(deps), { log: deps.log });
}
