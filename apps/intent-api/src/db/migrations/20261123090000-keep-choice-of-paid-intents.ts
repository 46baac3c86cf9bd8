import type { Migration } from '@pay/persistence';

/** A PAID intent names what received the money. These columns keep the last choice where it differs; null: it is the same. */
export const keepChoiceOfPaidIntents: Migration = {
  name: '20261123090000-keep-choice-of-paid-intents',
  sql: `alter table payment_intents
    add column chosen_payment_method text,
    add column chosen_receiver_msisdn text;`,
};
