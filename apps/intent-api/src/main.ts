import { openDataService } from '@pay/data-service';
import { serviceClient } from '@pay/http';
import { startService } from '@pay/runtime';
import { intentApiConfig } from './config';
import { createService } from './create-service';
import { migrations } from './db/migrations';

const service = 'intent-api';

startService(service, intentApiConfig, process.env, async (base) => {
  const { DASHBOARD_API_URL: baseUrl, PEER_SECRET_DASHBOARD_API: secret } = base.config;
  const lookup = serviceClient({ issuer: service, audience: 'dashboard-api', baseUrl, secret });
  const kinds = ['merchant', 'api_key', 'receiver_account', 'device'] as const;
  const { deps, complete } = await openDataService({ ...base, service, migrations, kinds, lookup });
  return complete(createService(deps), [lookup]);
});
