import type { Migration } from '@pay/persistence';

export const keepWhatOtherTextsSay: Migration = {
  name: '20261121170000-keep-what-other-texts-say',
  sql: `
-- Texts of other wallets and of money that is not collected are recognised too; a balance can be followed only by all of them.
alter table sms_events drop constraint sms_events_provider_check;
alter table sms_events add constraint sms_events_provider_check
  check (provider in ('BKASH', 'NAGAD', 'ROCKET', 'UPAY'));

-- A notice may tell of nothing. Evidence never does.
alter table sms_events drop constraint sms_events_parsed_amount_check;
alter table sms_events add constraint sms_events_parsed_amount_check
  check (parsed_amount >= 0);
alter table sms_events add constraint sms_events_evidence_is_money_in
  check (payment_method is null or (provider in ('BKASH', 'NAGAD') and direction = 'IN' and parsed_amount > 0));

alter table sms_events add column parsed_commission bigint check (parsed_commission >= 0);
-- Who money went to, in a text that says that it left.
alter table sms_events add column parsed_recipient_msisdn text;
-- [{name, detail}]: what a forger's text has more often than a provider's. Null in rows that were written before there were any.
alter table sms_events add column signals jsonb;
`,
};
