import type { Directory } from '@pay/directory';
import type { Messaging } from '@pay/messaging';
import type { Database } from '@pay/persistence';
import type { Logger, Metrics, ServiceSettings } from '@pay/runtime';
import type { AddressGuard } from './adapters/address-guard';
import type { WebhookClient } from './adapters/webhook-client';
import type { WebhookDispatcherConfig } from './config';

/** Resources that main.ts opens. Use cases select the ones that they need. */
export interface ServiceDeps {
  readonly config: ServiceSettings<WebhookDispatcherConfig>;
  readonly db: Database;
  readonly messaging: Messaging;
  readonly directory: Directory;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly now: () => Date;
  readonly random: () => number;
  readonly newId: () => string;
  /** Replaced in tests. */
  readonly network?: { readonly guard: AddressGuard; readonly client: WebhookClient };
}
