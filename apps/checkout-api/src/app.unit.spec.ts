import { createLogger, createMetrics } from '@pay/runtime';
import { describedRoutes, mountedRoutes, unusedDependency } from '@pay/testing';
import { createApp } from './app';

it('checkout-api mounts exactly the public operations that are described as its own', () => {
  const kernel = {
    log: createLogger({ service: 'checkout-api', level: 'silent' }),
    metrics: createMetrics('checkout-api'),
  };
  const routes = mountedRoutes(createApp(kernel, unusedDependency()));

  expect(routes.length).toBeGreaterThan(0);
  expect(routes).toEqual(describedRoutes('checkout-api'));
});
