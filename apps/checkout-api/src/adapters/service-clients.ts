import { serviceClient, type PeerSecret, type ServiceClient } from '@pay/http';
import type { CheckoutApiConfig } from '../config';

/** A view does not wait longer than this for an expiry: it is as good without. */
const VIEW_DEADLINE_MS = 500;

export interface ServiceClients {
  readonly intentApi: ServiceClient;
  /** For judgements: the customer waits for them. */
  readonly reconciler: ServiceClient;
  /** For expiries, which a view can do without. */
  readonly reconcilerForViews: ServiceClient;
}

type ServiceClientConfig = Pick<CheckoutApiConfig, 'INTENT_API_URL' | 'RECONCILER_URL'> &
  Readonly<Record<'PEER_SECRET_INTENT_API' | 'PEER_SECRET_RECONCILER', PeerSecret>>;

/**
 * Clients of the services that checkout asks; `deadline` is for what a customer waits for. Connections are opened when
 * they are needed.
 */
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
