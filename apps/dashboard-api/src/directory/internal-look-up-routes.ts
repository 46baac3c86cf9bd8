import {
  apiKeyLookupSchema,
  deviceLookupSchema,
  environmentSchema,
  tenantFactsSchema,
  type ServiceName,
} from '@pay/contracts';
import { route, serviceAuth, type PeerSecret } from '@pay/http';
import { readEpoch } from '@pay/messaging';
import type { Queryable } from '@pay/persistence';
import type { Express } from 'express';
import { z } from 'zod';
import { lookUpApiKey, lookUpDevice, lookUpDeviceById } from './look-up-credential';
import { lookUpTenant } from './look-up-tenant';

export interface InternalLookUpDeps {
  readonly db: Queryable;
  readonly peerSecrets: Partial<Record<ServiceName, PeerSecret>>;
}

/** Lower-case hex SHA-256. Example: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855. */
const KEY_HASH = /^[0-9a-f]{64}$/;
const params = z.object({ keyHash: z.string().regex(KEY_HASH) });

/**
 * `/internal/v1/api-keys`, `/devices`, `/device-facts` and `/tenant-facts`: for services whose copy may be older than a
 * decision allows.
 */
export function mountInternalLookUp(app: Express, { db, peerSecrets }: InternalLookUpDeps): void {
  const only = (...allow: ServiceName[]) => serviceAuth({ audience: 'dashboard-api', secrets: peerSecrets, allow });

  app.get(
    '/internal/v1/api-keys/:keyHash',
    only('intent-api', 'webhook-dispatcher'),
    route({ params }, async (input) => {
      // First: an epoch that is read after a failover must not stand beside what was read before it.
      const epoch = await readEpoch(db);
      const apiKey = await lookUpApiKey(db, input.params.keyHash);
      return { status: 200, body: apiKeyLookupSchema.parse({ apiKey, epoch }) };
    }),
  );
  app.get(
    '/internal/v1/devices/:keyHash',
    only('sms-ingest'),
    route({ params }, async (input) => {
      const epoch = await readEpoch(db);
      const device = await lookUpDevice(db, input.params.keyHash);
      return { status: 200, body: deviceLookupSchema.parse({ device, epoch }) };
    }),
  );
  app.get(
    '/internal/v1/device-facts/:id',
    only('sms-ingest'),
    route({ params: z.object({ id: z.uuid() }) }, async (input) => {
      const epoch = await readEpoch(db);
      const device = await lookUpDeviceById(db, input.params.id);
      return { status: 200, body: deviceLookupSchema.parse({ device, epoch }) };
    }),
  );
  app.get(
    '/internal/v1/tenant-facts/:merchantId/:environment',
    only('reconciler'),
    route({ params: z.object({ merchantId: z.uuid(), environment: environmentSchema }) }, async (input) => {
      return { status: 200, body: tenantFactsSchema.parse(await lookUpTenant(db, input.params)) };
    }),
  );
}
