import { createLogger, createMetrics } from '@pay/runtime';
import { describedRoutes, mountedRoutes, unusedDependency } from '@pay/testing';
import { createApp } from './app';

it('sms-ingest mounts exactly the public operations that are described as its own', () => {
  const kernel = {
    log: createLogger({ service: 'sms-ingest', level: 'silent' }),
    metrics: createMetrics('sms-ingest'),
  };
  const routes = mountedRoutes(createApp(kernel, unusedDependency()));

  expect(routes.length).toBeGreaterThan(0);
  expect(routes).toEqual(describedRoutes('sms-ingest'));
});
