import { openDataService } from '@pay/data-service';
import { serviceClient, type PeerSecret } from '@pay/http';
import { startService } from '@pay/runtime';
import { reconcilerConfig } from './config';
import { createService } from './create-service';
import { migrations } from './db/migrations';
import { noteSwitchOffs } from './expiry/note-switch-offs';
import type { PeerName } from './service-deps';

const service = 'reconciler';

startService(service, reconcilerConfig, process.env, async (base) => {
  const { config } = base;
  const kinds = ['merchant', 'receiver_account'] as const;
  const { deps, complete } = await openDataService({ ...base, service, migrations, kinds, onChange: noteSwitchOffs });
  const peer = (audience: PeerName, baseUrl: string, secret: PeerSecret) =>
    serviceClient({ issuer: service, audience, baseUrl, secret });
  const peers = {
    'intent-api': peer('intent-api', config.INTENT_API_URL, config.PEER_SECRET_INTENT_API),
    'sms-ingest': peer('sms-ingest', config.SMS_INGEST_URL, config.PEER_SECRET_SMS_INGEST),
    'checkout-api': peer('checkout-api', config.CHECKOUT_API_URL, config.PEER_SECRET_CHECKOUT_API),
    'dashboard-api': peer('dashboard-api', config.DASHBOARD_API_URL, config.PEER_SECRET_DASHBOARD_API),
  };
  // Small batches at a limited rate, so that payments wait only briefly for the locks of an expiry.
  const expiryPace = { expiryIntervalMs: 1_000, expiryBatch: 250, expiriesPerSecond: 1_250 };
  return complete(createService({ ...deps, peers, expiryPace }), Object.values(peers));
});
