import type { Directory } from '@pay/directory';
import type { ServiceClient } from '@pay/http';
import type { Messaging } from '@pay/messaging';
import type { Database } from '@pay/persistence';
import type { Logger, Metrics, ServiceSettings } from '@pay/runtime';
import type { SmsIngestConfig } from './config';
import type { Readers } from './domain/parse-sms';
import type { SmsSecrets } from './intake/sms-secrets';

/** What main.ts opens and the service is composed of. Use cases pick from this list what they need. */
export interface ServiceDeps {
  readonly config: ServiceSettings<SmsIngestConfig>;
  readonly db: Database;
  /** One connection for reports about SMS that wait in memory, because those of `db` may all be occupied. */
  readonly intakeDb: Database;
  readonly messaging: Messaging;
  readonly directory: Directory;
  readonly dashboardApi: Pick<ServiceClient, 'request'>;
  readonly secrets: SmsSecrets;
  /** Replaces the default parsers. */
  readonly readers?: Readers;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly now: () => Date;
  readonly newId: () => string;
}
