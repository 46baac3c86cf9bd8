import type { Migration } from '@pay/persistence';

export const createPaymentAudit: Migration = {
  name: '20261122200000-create-payment-audit',
  sql: `
-- A mismatch is confirmed when a second round sees it too: between the services an event may just be on its way.
create table payment_audit_findings (
  payment_intent_id uuid not null,
  kind text not null,
  merchant_id uuid not null,
  environment text not null check (environment in ('SANDBOX', 'LIVE')),
  decided_at timestamptz not null,
  first_seen_at timestamptz not null,
  confirmed_at timestamptz,
  resolved_at timestamptz,
  primary key (payment_intent_id, kind)
);
create index payment_audit_findings_open on payment_audit_findings (decided_at) where resolved_at is null;
create index payment_audit_findings_resolved on payment_audit_findings (resolved_at) where resolved_at is not null;

-- One row: one replica audits at a time, and older slices take turns.
create table payment_audit (
  id smallint primary key default 1 check (id = 1),
  owner uuid,
  leased_until timestamptz not null default '-infinity',
  next_slice timestamptz
);
insert into payment_audit default values;`,
};
