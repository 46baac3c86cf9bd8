import type { ServiceName } from '@pay/contracts';
import { serviceClient, type PeerSecret, type ServiceClient } from '@pay/http';
import type { DashboardApiConfig, peerSettings } from '../config';
import { RECONCILER_TIMEOUT_MS } from './reconciler-client';

const SHOP_TIMEOUT_MS = 20_000;

type ClientConfig = Pick<DashboardApiConfig, keyof typeof peerSettings>;

export type ServiceClients = Readonly<
  Record<'smsIngest' | 'reconciler' | 'intentApi' | 'checkoutApi' | 'webhookDispatcher' | 'shops', ServiceClient>
>;

export type Peer = Pick<ServiceClient, 'request'>;
/** `shops` has a longer timeout, because it waits for the response of a shop. */
export type Peers = Readonly<Record<keyof ServiceClients, Peer>>;

/** Connections are opened on first use. */
export function openServiceClients(config: ClientConfig): ServiceClients {
  const to = (audience: ServiceName, secret: PeerSecret, baseUrl: string, more: { readonly timeoutMs?: number } = {}) =>
    serviceClient({ issuer: 'dashboard-api', audience, secret, baseUrl, ...more });
  const { RECONCILER_URL, PEER_SECRET_RECONCILER, WEBHOOK_DISPATCHER_URL, PEER_SECRET_WEBHOOK_DISPATCHER } = config;
  return {
    smsIngest: to('sms-ingest', config.PEER_SECRET_SMS_INGEST, config.SMS_INGEST_URL),
    reconciler: to('reconciler', PEER_SECRET_RECONCILER, RECONCILER_URL, { timeoutMs: RECONCILER_TIMEOUT_MS }),
    intentApi: to('intent-api', config.PEER_SECRET_INTENT_API, config.INTENT_API_URL),
    checkoutApi: to('checkout-api', config.PEER_SECRET_CHECKOUT_API, config.CHECKOUT_API_URL),
    webhookDispatcher: to('webhook-dispatcher', PEER_SECRET_WEBHOOK_DISPATCHER, WEBHOOK_DISPATCHER_URL),
    // The call waits for the response of a shop, with the deadline of a webhook.
    shops: to('webhook-dispatcher', PEER_SECRET_WEBHOOK_DISPATCHER, WEBHOOK_DISPATCHER_URL, {
      timeoutMs: SHOP_TIMEOUT_MS,
    }),
  };
}
