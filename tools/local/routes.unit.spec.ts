import { findRoute, PUBLIC_ROUTES } from './routes';

describe('the local origin', () => {
  it.each([
    ['/v1/payments/intents', 'intent-api'],
    ['/v1/payments/intents?page=2', 'intent-api'],
    ['/v1/checkout/0193/confirm', 'checkout-api'],
    ['/checkout/0193?language=bn', 'checkout-api'],
    ['/v1/sms-events/incoming', 'sms-ingest'],
    ['/v1/devices/heartbeat', 'sms-ingest'],
    ['/v1/webhooks/endpoints', 'webhook-dispatcher'],
    ['/v1/events', 'webhook-dispatcher'],
    ['/v1/events?since=1', 'webhook-dispatcher'],
    ['/v1/auth/login', 'dashboard-api'],
    ['/v1/dashboard/sms', 'dashboard-api'],
    ['/v1/sandbox/sms', 'dashboard-api'],
    ['/dashboard', 'dashboard-api'],
    ['/dashboard/intents/1', 'dashboard-api'],
  ])('hands %s to %s', (url, service) => {
    expect(findRoute(PUBLIC_ROUTES, url)).toBe(service);
  });

  it.each([
    '/',
    '/internal/v1/intents/1',
    '/livez',
    '/readyz',
    '/metrics',
    '/v1',
    '/v1/payments-old',
    '/v1/paymentsx/intents',
    '/dashboards',
    '//v1/payments',
    '/V1/payments',
  ])('matches no service for %s', (url) => {
    expect(findRoute(PUBLIC_ROUTES, url)).toBeUndefined();
  });

  it('prefers the longest prefix, whatever the order', () => {
    const routes = [
      ['/v1', 'short'],
      ['/v1/events', 'long'],
    ] as const;

    expect(findRoute(routes, '/v1/events/1')).toBe('long');
    expect(findRoute([...routes].reverse(), '/v1/events/1')).toBe('long');
    expect(findRoute(routes, '/v1/other')).toBe('short');
  });
});
