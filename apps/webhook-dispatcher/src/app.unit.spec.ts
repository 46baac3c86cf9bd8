import { createLogger, createMetrics } from '@pay/runtime';
import { describedRoutes, mountedRoutes, unusedDependency } from '@pay/testing';
import { createApp, type AppDeps } from './app';

it('webhook-dispatcher mounts exactly the public operations that are described as its own', () => {
  const log = createLogger({ service: 'webhook-dispatcher', level: 'silent' });
  const unused = unusedDependency<AppDeps>();
  const { db, directory, guard, client, secrets, verifiedEnvironments, limits } = unused;
  const { newId, newChallenge, now, poke, wakeRecoveries, maxEndpoints, verifications, endpointChanged } = unused;
  const metrics = createMetrics('webhook-dispatcher');
  const routes = mountedRoutes(
    createApp({
      db,
      directory,
      guard,
      client,
      secrets,
      verifiedEnvironments,
      limits,
      log,
      metrics,
      newId,
      newChallenge,
      now,
      poke,
      wakeRecoveries,
      maxEndpoints,
      verifications,
      endpointChanged,
    }),
  );

  expect(routes.length).toBeGreaterThan(0);
  expect(routes).toEqual(describedRoutes('webhook-dispatcher'));
});
