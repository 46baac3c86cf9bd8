export { mountPaymentAudit, type PaymentAuditDeps } from './mount-payment-audit';
export { auditedPayments, type AuditedPayments, type PaymentSource } from './audited-payments';
