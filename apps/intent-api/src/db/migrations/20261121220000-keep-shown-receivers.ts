import type { Migration } from '@pay/persistence';

export const keepShownReceivers: Migration = {
  name: '20261121220000-keep-shown-receivers',
  sql: `
-- Money to any receiver that a customer was shown counts, so none of them is ever forgotten.
create function payment_intents_refuse_to_forget_receiver() returns trigger language plpgsql as $$
begin
  raise exception 'a receiver that was shown for a payment intent stays shown' using errcode = 'check_violation';
end;
$$;
create trigger payment_intents_shown_receivers_grow before update of shown_receivers on payment_intents
  for each row when (not new.shown_receivers @> old.shown_receivers)
  execute function payment_intents_refuse_to_forget_receiver();
`,
};
