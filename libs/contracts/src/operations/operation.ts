import { z } from 'zod';
import type { ErrorCode } from '../errors';
import type { ApiKeyScope } from '../events/directory-events';
import type { ServiceName } from '../service-name';
import type { Role } from '../role';

/** Objects whose environment decides whether a role may change them. */
export type EnvironmentOwner = 'api_key' | 'device' | 'webhook_endpoint' | 'webhook_delivery';

/** Roles that are answered 403 in LIVE, and where the environment of a request is found. */
export interface SandboxOnly {
  readonly roles: readonly Role[];
  /** A field of the query or of the body, or the object whose id is in the path. */
  readonly environmentOf: 'query' | 'body' | EnvironmentOwner;
}

/**
 * Required credential. A session whose role is not listed is answered 403. Those of all operations together are the
 * table of permissions: the API enforces it, the dashboard shows only what it allows.
 */
export type OperationCredential =
  | { readonly kind: 'none' }
  | { readonly kind: 'apiKey'; readonly scope: ApiKeyScope }
  | { readonly kind: 'deviceKey' }
  | { readonly kind: 'session'; readonly roles: readonly Role[]; readonly sandboxOnly?: SandboxOnly };

export interface OperationAnswer {
  /** Meaning of this response in the API description. */
  readonly description: string;
  /** Absent: the answer has no body. */
  readonly body?: z.ZodType;
  /** Additional response headers: name to description. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Content type of a body that is not JSON. Example: `text/event-stream`. */
  readonly contentType?: string;
  /** Of a stream of server-sent events: the JSON in `data`, by the name of the event. */
  readonly events?: Readonly<Record<string, z.ZodType>>;
  /** Content type of an alternative text representation. Example: `text/csv`. */
  readonly alsoAs?: string;
  /** A text of `contentType` or `alsoAs`. Streams get theirs from `events`. */
  readonly textExample?: string;
}

/** The largest request body of an operation that names no other limit. */
export const USUAL_BODY_LIMIT = '64kb';

/**
 * One public route as data: the source of request validation, of the API description and of the requests in tests.
 */
export interface Operation {
  /** Unique; the `operationId` of the description. Example: `createPaymentIntent`. */
  readonly id: string;
  readonly service: ServiceName;
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** As Express reads it. Example: `/v1/payments/intents/:id`. */
  readonly path: string;
  /** Section of the description. Example: `Payment intents`. */
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly credential: OperationCredential;
  /** An invalid path parameter is answered 404, not 400. */
  readonly params?: z.ZodObject;
  /** Message of NOT_FOUND where its reader knows nothing of merchants and environments. */
  readonly notFound?: string;
  readonly query?: z.ZodObject;
  /** Without a body schema the request body is ignored. */
  readonly body?: z.ZodType;
  /** Body schema for the API description, if code chooses between several shapes. */
  readonly describedBody?: z.ZodType;
  /** Instead of `USUAL_BODY_LIMIT`. */
  readonly bodyLimit?: `${number}kb` | `${number}mb`;
  /** True if the body schema handles text that Postgres cannot store; otherwise such a body is rejected as a whole. */
  readonly anyText?: boolean;
  /** By status. The API description adds the errors of validation, credentials, rate limits and faults. */
  readonly answers: Readonly<Record<number, OperationAnswer>>;
  /** Business errors of this operation beyond those that the description adds. */
  readonly errors?: readonly ErrorCode[];
  /** Messages of these errors that differ from the table of errors. */
  readonly messages?: Partial<Record<ErrorCode, string>>;
}

type Fields = Omit<Operation, 'id' | 'method' | 'path'>;

const byId = z.object({ id: z.uuid().toLowerCase() });
type ParamsOf<Path extends string, Given> = 'params' extends keyof Given
  ? unknown
  : Path extends `${string}/:id` | `${string}/:id/${string}`
    ? { readonly params: typeof byId }
    : unknown;

/**
 * Declares operations that have fields in common, with their literal types, so that handlers' inputs and answers are
 * checked against them. `:id` in a path is a UUID unless `params` says otherwise.
 */
export function operations<const Shared extends Partial<Fields>>(shared: Shared) {
  const declare =
    <const Method extends Operation['method']>(method: Method) =>
    <const Path extends string, const Own extends Omit<Fields, keyof Shared> & Partial<Fields>>(
      id: string,
      path: Path,
      own: Own,
    ) => {
      const params = /\/:id(?:\/|$)/.test(path) ? { params: byId } : {};
      return { ...params, ...shared, ...own, id, method, path } as Omit<Shared, keyof Own> &
        Own &
        ParamsOf<Path, Shared & Own> & { readonly id: string; readonly method: Method; readonly path: Path };
    };
  return {
    get: declare('get'),
    post: declare('post'),
    put: declare('put'),
    patch: declare('patch'),
    delete: declare('delete'),
  };
}
