import type { ServiceName } from '@pay/contracts';

/** As in the ingress of a cluster. The longest prefix wins. */
export const PUBLIC_ROUTES: readonly (readonly [prefix: string, service: ServiceName])[] = [
  ['/v1/payments', 'intent-api'],
  ['/v1/webhooks', 'webhook-dispatcher'],
  ['/v1/events', 'webhook-dispatcher'],
  ['/v1/checkout', 'checkout-api'],
  ['/checkout', 'checkout-api'],
  ['/v1/sms-events', 'sms-ingest'],
  ['/v1/devices', 'sms-ingest'],
  ['/v1/auth', 'dashboard-api'],
  ['/v1/dashboard', 'dashboard-api'],
  ['/v1/sandbox', 'dashboard-api'],
  ['/v1/openapi.json', 'dashboard-api'],
  ['/v1/docs', 'dashboard-api'],
  ['/dashboard', 'dashboard-api'],
];

/** Example: `/v1/payments/intents?page=2` matches `/v1/payments`; `/v1/payments-old` does not. */
export function findRoute<Target>(routes: readonly (readonly [string, Target])[], url: string): Target | undefined {
  const end = url.search(/[?#]/);
  const path = end === -1 ? url : url.slice(0, end);
  let best: readonly [string, Target] | undefined;
  for (const route of routes) {
    const [prefix] = route;
    const matches = path === prefix || (path.startsWith(prefix) && path.charAt(prefix.length) === '/');
    if (matches && prefix.length > (best?.[0].length ?? 0)) best = route;
  }
  return best?.[1];
}
