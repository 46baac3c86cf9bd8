import { openDataService } from '@pay/data-service';
import { openDatabase } from '@pay/persistence';
import { startService } from '@pay/runtime';
import { openServiceClients } from './adapters/service-clients';
import { checkoutApiConfig } from './config';
import { createService } from './create-service';
import { migrations } from './db/migrations';

const service = 'checkout-api';

startService(service, checkoutApiConfig, process.env, async (base) => {
  const { config, log } = base;
  const kinds = ['merchant', 'receiver_account', 'device'] as const;
  const { deps, complete } = await openDataService({ ...base, service, migrations, kinds, separateConnections: 1 });
  const access = { url: config.DATABASE_URL, applicationName: service, log, migrations };
  const intakeDb = await openDatabase({ ...access, poolSize: 1 });
  const clients = openServiceClients(config);
  const { intentApi, reconciler, reconcilerForViews } = clients;
  const created = createService({ ...deps, ...clients, intakeDb });
  return complete(created, [intakeDb, intentApi, reconciler, reconcilerForViews]);
});
