import type { Migration } from '@pay/persistence';

export const alertMerchants: Migration = {
  name: '20261124033000-alert-merchants',
  sql: `
-- Without a row the defaults apply.
create table alert_settings (
  merchant_id uuid not null references merchants (id),
  environment text not null check (environment in ('SANDBOX', 'LIVE')),
  kinds text[] not null check (kinds <@ array['device_silent', 'exceptions_waiting', 'endpoint_failing', 'sms_missing']),
  updated_at timestamptz not null,
  primary key (merchant_id, environment)
);
alter table alert_settings
  alter merchant_id set statistics 10, alter environment set statistics 10, alter kinds set statistics 10,
  alter updated_at set statistics 10;

-- An alert is open until closed_at.
create table merchant_alerts (
  id uuid primary key,
  merchant_id uuid not null references merchants (id),
  environment text not null check (environment in ('SANDBOX', 'LIVE')),
  kind text not null check (kind in ('device_silent', 'exceptions_waiting', 'endpoint_failing', 'sms_missing')),
  subject text not null,
  name text,
  count integer not null check (count > 0),
  since timestamptz not null,
  opened_at timestamptz not null,
  mailed_at timestamptz,
  closed_at timestamptz
);
create unique index merchant_alerts_one_open on merchant_alerts (merchant_id, environment, kind, subject) where closed_at is null;
create index merchant_alerts_not_mailed on merchant_alerts (merchant_id, environment) where closed_at is null and mailed_at is null;
create index merchant_alerts_of_tenant on merchant_alerts (merchant_id, environment, id desc);
create index merchant_alerts_mailed on merchant_alerts (merchant_id, environment, mailed_at) where mailed_at is not null;
alter table merchant_alerts
  alter id set statistics 10, alter merchant_id set statistics 10, alter environment set statistics 10,
  alter kind set statistics 10, alter subject set statistics 10, alter name set statistics 10, alter count set statistics 10,
  alter since set statistics 10, alter opened_at set statistics 10, alter mailed_at set statistics 10,
  alter closed_at set statistics 10;

-- One row: the replica that changes next_at makes the next round.
create table alert_rounds (
  id smallint primary key default 1 check (id = 1),
  next_at timestamptz not null
);
alter table alert_rounds alter id set statistics 10, alter next_at set statistics 10;
insert into alert_rounds (next_at) values ('-infinity');
`,
};
