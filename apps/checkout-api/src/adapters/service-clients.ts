import { serviceClient, type PeerSecret, type ServiceClient } from '@pay/http';
import type { CheckoutApiConfig } from '../config';

/** A view does not wait longer for an expiry, because it is also correct without one. */
const VIEW_DEADLINE_MS = 500;

export interface ServiceClients {
  readonly intentApi: ServiceClient;
  /** The customer waits for these responses. */
  readonly reconciler: ServiceClient;
  /** A view does not need these responses, so the timeout is short. */
  readonly reconcilerForViews: ServiceClient;
}

type ServiceClientConfig = Pick<CheckoutApiConfig, 'INTENT_API_URL' | 'RECONCILER_URL'> &
  Readonly<Record<'PEER_SECRET_INTENT_API' | 'PEER_SECRET_RECONCILER', PeerSecret>>;

/** `deadline` limits calls that a customer waits for. Connections are opened on first use. */
export function openServiceClients(
  config: ServiceClientConfig,
  deadline: { readonly timeoutMs?: number } = {},
): ServiceClients {
  const issuer = 'checkout-api';
  const { RECONCILER_URL: baseUrl, PEER_SECRET_RECONCILER: secret } = config;
  const reconciler = { issuer, audience: 'reconciler', baseUrl, secret } as const;
  return {
    intentApi: serviceClient({
      issuer,
      audience: 'intent-api',
      baseUrl: config.INTENT_API_URL,
      secret: config.PEER_SECRET_INTENT_API,
      ...deadline,
    }),
    reconciler: serviceClient({ ...reconciler, ...deadline }),
    reconcilerForViews: serviceClient({ ...reconciler, timeoutMs: VIEW_DEADLINE_MS }),
  };
}
