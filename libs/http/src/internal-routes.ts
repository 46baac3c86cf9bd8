import type { ServiceName } from '@pay/contracts';
import type { Express } from 'express';
import type { z } from 'zod';
import { answerTo, type ForTenant, type ServeTenant } from './operation-server';
import { route, type RouteInput, type RouteSchemas } from './route';
import { serviceAuth, tenantOf, type PeerSecret } from './service-auth';

type Schema = z.ZodType | undefined;
type Mount = <Params extends Schema = undefined, Query extends Schema = undefined, Body extends Schema = undefined>(
  path: string,
  schemas: RouteSchemas<Params, Query, Body>,
  handler: (input: RouteInput<Params, Query, Body>) => unknown,
) => void;

/** Routes of the private port. The result of a handler is sent with status 200. */
export interface InternalRoutes {
  readonly get: Mount;
  readonly post: Mount;
  /**
   * Mounts operations of the public API at `/internal` + path. The calling service has already checked the credential
   * of the user and names the tenant.
   */
  readonly serve: ServeTenant;
}

export type RoutesFor = (...callers: readonly ServiceName[]) => InternalRoutes;

/** `secrets` contains the secrets shared with each caller. */
export function internalRoutes(
  app: Express,
  audience: ServiceName,
  secrets: Partial<Record<ServiceName, PeerSecret>>,
): RoutesFor {
  return (...allow) => {
    const auth = serviceAuth({ audience, secrets, allow });
    const mount =
      (method: 'get' | 'post'): Mount =>
      (path, schemas, handler) => {
        const answer = route(schemas, async (input) => ({ status: 200, body: await handler(input) }));
        app[method](path, auth, answer);
      };
    return {
      get: mount('get'),
      post: mount('post'),
      serve: (operation, handler) => {
        const answer = answerTo(operation);
        const run = route(operation, async (input) =>
          answer(await handler({ ...input, tenant: tenantOf(input.req) } as ForTenant<typeof operation>)),
        );
        app[operation.method](`/internal${operation.path}`, auth, run);
      },
    };
  };
}
