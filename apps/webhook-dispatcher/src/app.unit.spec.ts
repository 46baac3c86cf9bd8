import { createLogger, createMetrics } from '@pay/runtime';
import { describedRoutes, mountedRoutes, unusedDependency } from '@pay/testing';
import { createApp, type AppDeps } from './app';

it('webhook-dispatcher mounts exactly the public operations that are described as its own', () => {
  const log = createLogger({ service: 'webhook-dispatcher', level: 'silent' });
  const unused = unusedDependency<AppDeps>();
  const { db, directory, guard, secrets, newId, limits } = unused;
  const metrics = createMetrics('webhook-dispatcher');
  const routes = mountedRoutes(createApp({ ...{ db, directory, guard, secrets, newId, limits }, log, metrics }));

  expect(routes.length).toBeGreaterThan(0);
  expect(routes).toEqual(describedRoutes('webhook-dispatcher'));
});
