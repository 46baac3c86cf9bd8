import type { Directory } from '@pay/directory';
import type { Messaging } from '@pay/messaging';
import type { Database } from '@pay/persistence';
import type { Logger, Metrics, ServiceSettings } from '@pay/runtime';
import type { ServiceClients } from './adapters/service-clients';
import type { CheckoutApiConfig } from './config';

/** Resources that main.ts opens. Use cases select the ones that they need. */
export interface ServiceDeps extends ServiceClients {
  readonly config: ServiceSettings<CheckoutApiConfig>;
  readonly db: Database;
  /** A separate connection for claims that wait in memory, because all connections of `db` may be occupied. */
  readonly intakeDb: Database;
  readonly messaging: Messaging;
  readonly directory: Directory;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly now: () => Date;
  readonly newId: () => string;
}
