import type { FindEnvironment } from '@pay/http';
import type { Queryable } from '@pay/persistence';
import { tenantOfWebhook, type WebhookOwnerDeps } from '../clients/webhook-owner';
import { findOwn } from './own-records';

export interface FindEnvironmentDeps extends WebhookOwnerDeps {
  readonly db: Queryable;
}

/** The environment of an object never changes, so it can be read before the request. */
export function findEnvironmentIn(deps: FindEnvironmentDeps): FindEnvironment {
  return async (owner, id, { merchantId }) => {
    switch (owner) {
      case 'api_key':
      case 'device':
        return (await findOwn(deps.db, owner, id, merchantId)).environment;
      case 'webhook_endpoint':
        return (await tenantOfWebhook(deps, merchantId, 'endpoints', id)).environment;
      case 'webhook_delivery':
        return (await tenantOfWebhook(deps, merchantId, 'deliveries', id)).environment;
    }
  };
}
