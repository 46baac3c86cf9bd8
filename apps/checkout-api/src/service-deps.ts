import type { Directory } from '@pay/directory';
import type { Messaging } from '@pay/messaging';
import type { Database } from '@pay/persistence';
import type { Logger, Metrics, ServiceSettings } from '@pay/runtime';
import type { ServiceClients } from './adapters/service-clients';
import type { CheckoutApiConfig } from './config';

/** What main.ts opens and the service is composed of. Use cases pick from this list what they need. */
export interface ServiceDeps extends ServiceClients {
  readonly config: ServiceSettings<CheckoutApiConfig>;
  readonly db: Database;
  /** One connection for claims that wait in memory, because the connections of `db` may all be occupied. */
  readonly intakeDb: Database;
  readonly messaging: Messaging;
  readonly directory: Directory;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly now: () => Date;
  readonly newId: () => string;
}
