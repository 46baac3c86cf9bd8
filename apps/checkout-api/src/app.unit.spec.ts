import { createLogger, createMetrics } from '@pay/runtime';
import { describedRoutes, mountedRoutes, unusedDependency } from '@pay/testing';
import { createApp } from './app';

/** Routes for browsers are not operations. */
const PAGE = [
  'get /checkout',
  'get /checkout/:id',
  'get /checkout/:id/cancel',
  'get /checkout/:id/confirm',
  'get /checkout/:id/method',
  'get /checkout/assets/:file',
  'post /checkout/:id/cancel',
  'post /checkout/:id/confirm',
  'post /checkout/:id/method',
  'post /checkout/:id/returned',
];

it('checkout-api mounts exactly the public operations that are described as its own, and its page', () => {
  const kernel = {
    log: createLogger({ service: 'checkout-api', level: 'silent' }),
    metrics: createMetrics('checkout-api'),
  };
  const routes = mountedRoutes(createApp(kernel, unusedDependency()));

  expect(routes.length).toBeGreaterThan(0);
  expect(routes).toEqual([...PAGE, ...describedRoutes('checkout-api')].sort());
});
