import type { Migration } from '@pay/persistence';

export const addSandboxScope: Migration = {
  name: '20261123053100-add-sandbox-scope',
  sql: `
alter table api_keys drop constraint api_keys_scopes_check;
alter table api_keys add constraint api_keys_scopes_check check (cardinality(scopes) > 0 and
  scopes <@ array['payments:read', 'payments:write', 'webhooks:read', 'webhooks:write', 'sandbox:simulate']);
`,
};
