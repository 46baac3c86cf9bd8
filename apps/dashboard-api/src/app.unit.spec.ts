import { createLogger, createMetrics } from '@pay/runtime';
import { describedRoutes, mountedRoutes, unusedDependency } from '@pay/testing';
import { createApp } from './app';

/** Routes for browsers are not operations. */
const PAGES = ['get /dashboard/assets/:file', 'get /dashboard{/*page}'];

it('dashboard-api mounts exactly the public operations that are described as its own, and its pages', () => {
  const kernel = {
    log: createLogger({ service: 'dashboard-api', level: 'silent' }),
    metrics: createMetrics('dashboard-api'),
  };
  const routes = mountedRoutes(createApp(kernel, unusedDependency()));

  expect(routes.length).toBeGreaterThan(0);
  expect(routes).toEqual([...PAGES, ...describedRoutes('dashboard-api')].sort());
});
