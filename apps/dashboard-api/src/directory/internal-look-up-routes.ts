import { apiKeyLookupSchema, deviceLookupSchema, environmentSchema, tenantFactsSchema } from '@pay/contracts';
import type { RoutesFor } from '@pay/http';
import { readEpoch } from '@pay/messaging';
import type { Queryable } from '@pay/persistence';
import { z } from 'zod';
import { lookUpApiKey, lookUpDevice, lookUpDeviceById } from './look-up-credential';
import { lookUpTenant } from './look-up-tenant';

/** Lower-case hex SHA-256. Example: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855. */
const KEY_HASH = /^[0-9a-f]{64}$/;
const params = z.object({ keyHash: z.string().regex(KEY_HASH) });

/**
 * `/internal/v1/api-keys`, `/devices`, `/device-facts` and `/tenant-facts`: for services whose copy may be older than a
 * decision allows.
 */
export function mountInternalLookUp(routesFor: RoutesFor, db: Queryable): void {
  routesFor('intent-api', 'webhook-dispatcher').get(
    '/internal/v1/api-keys/:keyHash',
    { params },
    async ({ params: { keyHash } }) => {
      // Read before the record: an epoch read after a failover must not be combined with a record read before it.
      const epoch = await readEpoch(db);
      return apiKeyLookupSchema.parse({ apiKey: await lookUpApiKey(db, keyHash), epoch });
    },
  );
  const smsIngest = routesFor('sms-ingest');
  smsIngest.get('/internal/v1/devices/:keyHash', { params }, async ({ params: { keyHash } }) => {
    const epoch = await readEpoch(db);
    return deviceLookupSchema.parse({ device: await lookUpDevice(db, keyHash), epoch });
  });
  smsIngest.get('/internal/v1/device-facts/:id', { params: z.object({ id: z.uuid() }) }, async ({ params: { id } }) => {
    const epoch = await readEpoch(db);
    return deviceLookupSchema.parse({ device: await lookUpDeviceById(db, id), epoch });
  });
  routesFor('reconciler').get(
    '/internal/v1/tenant-facts/:merchantId/:environment',
    { params: z.object({ merchantId: z.uuid(), environment: environmentSchema }) },
    async ({ params: tenant }) => tenantFactsSchema.parse(await lookUpTenant(db, tenant)),
  );
}
