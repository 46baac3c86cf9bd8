import { OPERATIONS, type ServiceName } from '@pay/contracts';

interface Layer {
  readonly route?: { readonly path: unknown; readonly methods: Readonly<Record<string, boolean>> };
  readonly handle?: { readonly stack?: readonly Layer[] };
}

/**
 * `get /v1/checkout/:id` for each route of an Express app, sorted. A router has no readable address, so there must be
 * none.
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

/** The same for the public operations that a service has to mount. */
export function describedRoutes(service: ServiceName): string[] {
  return OPERATIONS.filter((operation) => operation.service === service)
    .map(({ method, path }) => `${method} ${path}`)
    .sort();
}

/** Stands for dependencies that are only handed on: whatever is asked of it, or called, is itself. */
export function unusedDependency<Dependency>(): Dependency {
  const anything: unknown = new Proxy(() => anything, {
    get: (_target, name) => (name === Symbol.toPrimitive ? () => 'unused' : name === 'then' ? undefined : anything),
    apply: () => anything,
  });
  return anything as Dependency;
}
