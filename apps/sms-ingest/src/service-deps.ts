import type { DataServiceDeps } from '@pay/data-service';
import type { ServiceClient } from '@pay/http';
import type { Database } from '@pay/persistence';
import type { ServiceSettings } from '@pay/runtime';
import type { SmsIngestConfig } from './config';
import type { Readers } from './domain/parse-sms';
import type { SmsSecrets } from './intake/sms-secrets';

/** Resources that main.ts opens. Use cases select the ones that they need. */
export interface ServiceDeps extends DataServiceDeps<ServiceSettings<SmsIngestConfig>> {
  /** One connection for reports about SMS that wait in memory, because those of `db` may all be occupied. */
  readonly intakeDb: Database;
  readonly dashboardApi: Pick<ServiceClient, 'request'>;
  readonly secrets: SmsSecrets;
  /** Replaces the default parsers. */
  readonly readers?: Readers;
}
