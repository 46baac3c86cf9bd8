import type { Migration } from '@pay/persistence';

/**
 * Services no longer read texts and fingerprints that versions before 20261121 stored in plain form. A version of
 * 20261123 encrypts them while it runs.
 */
export const requireEncryptedTexts: Migration = {
  name: '20261124173000-require-encrypted-texts',
  sql: `
do $$
begin
  if exists (select from sms_events where message is not null)
    or exists (select from sms_fingerprints where not is_keyed) then
    raise exception 'texts are stored without encryption: run the previous release until it has encrypted them';
  end if;
end $$;
`,
};
