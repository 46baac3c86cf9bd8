import type { DataServiceDeps } from '@pay/data-service';
import type { ServiceSettings } from '@pay/runtime';
import type { AddressGuard } from './adapters/address-guard';
import type { WebhookClient } from './adapters/webhook-client';
import type { WebhookDispatcherConfig } from './config';

/** Resources that main.ts opens. Use cases select the ones that they need. */
export interface ServiceDeps extends DataServiceDeps<ServiceSettings<WebhookDispatcherConfig>> {
  readonly random: () => number;
  /** Replaced in tests. */
  readonly network?: { readonly guard: AddressGuard; readonly client: WebhookClient };
}
