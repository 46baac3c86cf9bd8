import { openDataService } from '@pay/data-service';
import { serviceClient } from '@pay/http';
import { openDatabase } from '@pay/persistence';
import { startService } from '@pay/runtime';
import { smsIngestConfig } from './config';
import { createService } from './create-service';
import { migrations } from './db/migrations';
import { followDisabledDevices } from './devices/follow-disabled-devices';
import { openSmsSecrets } from './intake/open-sms-secrets';

const service = 'sms-ingest';

startService(service, smsIngestConfig, process.env, async (base) => {
  const { config, log } = base;
  const { DASHBOARD_API_URL: baseUrl, PEER_SECRET_DASHBOARD_API: secret } = config;
  const dashboardApi = serviceClient({ issuer: service, audience: 'dashboard-api', baseUrl, secret });
  const { deps, complete } = await openDataService({
    ...base,
    service,
    migrations,
    separateConnections: 1,
    kinds: ['merchant', 'receiver_account', 'device'],
    lookup: dashboardApi,
    onChange: followDisabledDevices,
  });
  const access = { url: config.DATABASE_URL, applicationName: service, log, migrations };
  const intakeDb = await openDatabase({ ...access, poolSize: 1 });
  const secrets = await openSmsSecrets(deps.db, config.SMS_ENCRYPTION_KEYS, deps.now());
  return complete(createService({ ...deps, intakeDb, dashboardApi, secrets }), [intakeDb, dashboardApi]);
});
