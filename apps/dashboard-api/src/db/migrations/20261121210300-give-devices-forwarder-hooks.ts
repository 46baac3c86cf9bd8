import type { Migration } from '@pay/persistence';

export const giveDevicesForwarderHooks: Migration = {
  name: '20261121210300-give-devices-forwarder-hooks',
  sql: `
-- [{id, adapter, hookHash, sealedSecret, createdAt}]: a part of the device, so that one version tells of it and of all its hooks.
alter table devices
  add column hooks jsonb not null default '[]' check (jsonb_typeof(hooks) = 'array');
`,
};
