import { serviceClient, type ServiceClient } from '@pay/http';
import type { DashboardApiConfig } from '../config';
import { RECONCILER_TIMEOUT_MS } from './reconciler-client';

const SHOP_TIMEOUT_MS = 20_000;

type ClientConfig = Pick<
  DashboardApiConfig,
  | 'PEER_SECRET_SMS_INGEST'
  | 'PEER_SECRET_RECONCILER'
  | 'PEER_SECRET_CHECKOUT_API'
  | 'PEER_SECRET_INTENT_API'
  | 'PEER_SECRET_WEBHOOK_DISPATCHER'
  | 'SMS_INGEST_URL'
  | 'RECONCILER_URL'
  | 'CHECKOUT_API_URL'
  | 'INTENT_API_URL'
  | 'WEBHOOK_DISPATCHER_URL'
>;

export type ServiceClients = Readonly<
  Record<'smsIngest' | 'reconciler' | 'intentApi' | 'checkoutApi' | 'webhookDispatcher' | 'shops', ServiceClient>
>;

export type Peer = Pick<ServiceClient, 'request'>;
/** `shops` has a longer timeout, because it waits for the response of a shop. */
export type Peers = Readonly<Record<keyof ServiceClients, Peer>>;

/** Connections are opened on first use. */
export function openServiceClients(config: ClientConfig): ServiceClients {
  const issuer = 'dashboard-api';
  return {
    smsIngest: serviceClient({
      issuer,
      audience: 'sms-ingest',
      secret: config.PEER_SECRET_SMS_INGEST,
      baseUrl: config.SMS_INGEST_URL,
    }),
    reconciler: serviceClient({
      issuer,
      audience: 'reconciler',
      secret: config.PEER_SECRET_RECONCILER,
      baseUrl: config.RECONCILER_URL,
      timeoutMs: RECONCILER_TIMEOUT_MS,
    }),
    intentApi: serviceClient({
      issuer,
      audience: 'intent-api',
      secret: config.PEER_SECRET_INTENT_API,
      baseUrl: config.INTENT_API_URL,
    }),
    checkoutApi: serviceClient({
      issuer,
      audience: 'checkout-api',
      secret: config.PEER_SECRET_CHECKOUT_API,
      baseUrl: config.CHECKOUT_API_URL,
    }),
    webhookDispatcher: serviceClient({
      issuer,
      audience: 'webhook-dispatcher',
      secret: config.PEER_SECRET_WEBHOOK_DISPATCHER,
      baseUrl: config.WEBHOOK_DISPATCHER_URL,
    }),
    // The call waits for the response of a shop, with the deadline of a webhook.
    shops: serviceClient({
      issuer,
      audience: 'webhook-dispatcher',
      secret: config.PEER_SECRET_WEBHOOK_DISPATCHER,
      baseUrl: config.WEBHOOK_DISPATCHER_URL,
      timeoutMs: SHOP_TIMEOUT_MS,
    }),
  };
}
