import { OPERATIONS, type ServiceName } from '@pay/contracts';

interface Layer {
  readonly route?: { readonly path: unknown; readonly methods: Readonly<Record<string, boolean>> };
  readonly handle?: { readonly stack?: readonly Layer[] };
}

/**
 * `get /v1/checkout/:id` for each route of an Express app, sorted. Nested routers have no readable path, so there must
 * be none.
 */
export function mountedRoutes(app: { readonly router: unknown }): string[] {
  const { stack } = app.router as { readonly stack: readonly Layer[] };
  return stack
    .flatMap(({ route, handle }) => {
      if (handle?.stack !== undefined && route === undefined)
        throw new TypeError('a router is mounted: mount operations');
      return Object.keys(route?.methods ?? {}).map((method) => `${method} ${String(route?.path)}`);
    })
    .sort();
}

/** The routes of the public operations that a service has to mount. */
export function describedRoutes(service: ServiceName): string[] {
  return OPERATIONS.filter((operation) => operation.service === service)
    .map(({ method, path }) => `${method} ${path}`)
    .sort();
}

/** A placeholder for dependencies that are only passed on: every property and call returns the placeholder itself. */
export function unusedDependency<Dependency>(): Dependency {
  const anything: unknown = new Proxy(() => anything, {
    get: (_target, name) => (name === Symbol.toPrimitive ? () => 'unused' : name === 'then' ? undefined : anything),
    apply: () => anything,
  });
  return anything as Dependency;
}
