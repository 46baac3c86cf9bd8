import type { Migration } from '@pay/persistence';

export const addAlertsOfDoubtfulPayments: Migration = {
  name: '20261127230000-add-alerts-of-doubtful-payments',
  sql: `
alter table alert_settings drop constraint alert_settings_kinds_check,
  add constraint alert_settings_kinds_check check (kinds <@
    array['device_silent', 'exceptions_waiting', 'endpoint_failing', 'sms_missing', 'payment_doubtful']);
alter table merchant_alerts drop constraint merchant_alerts_kind_check,
  add constraint merchant_alerts_kind_check check (kind in
    ('device_silent', 'exceptions_waiting', 'endpoint_failing', 'sms_missing', 'payment_doubtful'));
`,
};
