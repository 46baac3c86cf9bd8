import type { Directory } from '@pay/directory';
import type { ServiceClient } from '@pay/http';
import type { Messaging } from '@pay/messaging';
import type { Database } from '@pay/persistence';
import type { Logger, Metrics, ServiceSettings } from '@pay/runtime';
import type { ReconcilerConfig } from './config';

/** Services whose internal routes the reconciler calls. */
export type PeerName = 'intent-api' | 'sms-ingest' | 'checkout-api' | 'dashboard-api';

/** What main.ts opens and the service is composed of. Use cases pick from this list what they need. */
export interface ServiceDeps {
  readonly config: ServiceSettings<ReconcilerConfig>;
  readonly db: Database;
  readonly messaging: Messaging;
  readonly directory: Directory;
  readonly peers: Readonly<Record<PeerName, Pick<ServiceClient, 'request'>>>;
  readonly expiryPace: {
    readonly expiryIntervalMs: number;
    readonly expiryBatch: number;
    readonly expiriesPerSecond: number;
  };
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly now: () => Date;
  readonly newId: () => string;
}
