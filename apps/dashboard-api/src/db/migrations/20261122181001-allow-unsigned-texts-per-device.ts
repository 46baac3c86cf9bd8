import type { Migration } from '@pay/persistence';

export const allowUnsignedTextsPerDevice: Migration = {
  name: '20261122181001-allow-unsigned-texts-per-device',
  sql: `
-- LIVE refuses texts that a forwarder app did not sign until an owner has allowed them for the device.
alter table devices
  add column allows_unsigned_texts boolean not null default false;

-- Why a person made a change, where they had to say it.
alter table audit_log
  add column reason text check (btrim(reason) <> '' and length(reason) <= 500);
`,
};
