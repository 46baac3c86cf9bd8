import type { Messaging } from '@pay/messaging';
import type { Database } from '@pay/persistence';
import type { Logger, Metrics } from '@pay/runtime';
import type { ServiceClients } from './clients/service-clients';
import type { DashboardApiConfig } from './config';
import type { PageFiles } from './dashboard-pages/read-page-files';
import type { MailTransport } from './mails/mail-transport';

/** Resources that main.ts opens. Use cases select the ones that they need. */
export interface ServiceDeps {
  readonly config: DashboardApiConfig;
  readonly db: Database;
  readonly messaging: Messaging;
  readonly clients: ServiceClients;
  readonly mailTransport: MailTransport;
  /** Undefined if the dashboard was not built. */
  readonly pageFiles: PageFiles | undefined;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly now: () => Date;
  readonly newId: () => string;
}
