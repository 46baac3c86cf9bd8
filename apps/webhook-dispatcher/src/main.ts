import { openDataService } from '@pay/data-service';
import { serviceClient } from '@pay/http';
import { startService } from '@pay/runtime';
import { assertKeysKnown } from './endpoints/assert-keys-known';
import { webhookDispatcherConfig } from './config';
import { createService } from './create-service';
import { migrations } from './db/migrations';

const service = 'webhook-dispatcher';

startService(service, webhookDispatcherConfig, process.env, async (base) => {
  const { DASHBOARD_API_URL: baseUrl, PEER_SECRET_DASHBOARD_API: secret, SECRET_ENCRYPTION_KEYS: keys } = base.config;
  const lookup = serviceClient({ issuer: service, audience: 'dashboard-api', baseUrl, secret });
  const kinds = ['merchant', 'api_key'] as const;
  const { deps, complete } = await openDataService({ ...base, service, migrations, kinds, lookup });
  await assertKeysKnown(deps.db, keys);
  const created = createService({ ...deps, random: Math.random });
  return complete(created, [lookup, created.client]);
});
