import type { DataServiceDeps } from '@pay/data-service';
import type { ServiceClient } from '@pay/http';
import type { ServiceSettings } from '@pay/runtime';
import type { ReconcilerConfig } from './config';

/** Services whose internal routes the reconciler calls. */
export type PeerName = 'intent-api' | 'sms-ingest' | 'checkout-api' | 'dashboard-api';

/** Resources that main.ts opens. Use cases select the ones that they need. */
export interface ServiceDeps extends DataServiceDeps<ServiceSettings<ReconcilerConfig>> {
  readonly peers: Readonly<Record<PeerName, Pick<ServiceClient, 'request'>>>;
  readonly expiryPace: {
    readonly expiryIntervalMs: number;
    readonly expiryBatch: number;
    readonly expiriesPerSecond: number;
  };
}
