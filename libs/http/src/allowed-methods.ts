import type { Express } from 'express';

/** The private part of Express's router that knows the paths and methods of its routes. */
interface Layer {
  readonly route?: { readonly path: string; readonly methods: Readonly<Record<string, boolean>> };
  match(path: string): unknown;
}

export interface AllowedMethods {
  readonly route: string;
  /** Value of the `Allow` header. Example: `GET, HEAD, POST` */
  readonly allow: string;
}

/**
 * Methods of all routes that are mounted on an app and match a path; undefined for a path that none matches. Routes
 * inside a nested router are not seen.
 */
export function allowedMethods(app: Express, path: string): AllowedMethods | undefined {
  const layers = app.router.stack as unknown as readonly Layer[];
  const routes = layers.flatMap((layer) => (layer.route && layer.match(path) ? [layer.route] : []));
  const [first] = routes;
  if (first === undefined) return undefined;
  const methods = new Set(routes.flatMap((route) => Object.keys(route.methods)));
  if (methods.has('get')) methods.add('head');
  return { route: first.path, allow: [...methods].sort().join(', ').toUpperCase() };
}
