import type { Migration } from '@pay/persistence';

/** Merchants who have chosen alerts get the new kind, as those without a choice do; those who have turned all off do not. */
export const turnOnAlertsOfDoubtfulPayments: Migration = {
  name: '20261128020000-turn-on-alerts-of-doubtful-payments',
  sql: `
update alert_settings set kinds = array_append(kinds, 'payment_doubtful')
where environment = 'LIVE' and cardinality(kinds) > 0 and not 'payment_doubtful' = any (kinds);
`,
};
