import type { DataServiceDeps } from '@pay/data-service';
import type { Database } from '@pay/persistence';
import type { ServiceSettings } from '@pay/runtime';
import type { ServiceClients } from './adapters/service-clients';
import type { CheckoutApiConfig } from './config';

/** Resources that main.ts opens. Use cases select the ones that they need. */
export interface ServiceDeps extends DataServiceDeps<ServiceSettings<CheckoutApiConfig>>, ServiceClients {
  /** A separate connection for claims that wait in memory, because all connections of `db` may be occupied. */
  readonly intakeDb: Database;
}
