import type { z } from 'zod';
import type { ErrorCode } from '../errors';
import type { ApiKeyScope } from '../events/directory-events';
import type { ServiceName } from '../http/internal';
import type { Role } from '../role';

/** Who may call. A session whose role is not listed is answered 403. */
export type OperationCredential =
  | { readonly kind: 'none' }
  | { readonly kind: 'apiKey'; readonly scope: ApiKeyScope }
  | { readonly kind: 'deviceKey' }
  | { readonly kind: 'session'; readonly roles: readonly Role[] };

export interface OperationAnswer {
  /** What this answer means, as a sentence of the API description. */
  readonly description: string;
  /** Absent: the answer has no body. */
  readonly body?: z.ZodType;
  /** Headers that this answer may carry beside those of every answer: name to description. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Of a body that is no JSON object, which `body` then does not describe. Example: `text/event-stream`. */
  readonly contentType?: string;
  /** A second form of the answer, beside `body`, as text of this type. Example: `text/csv`. */
  readonly alsoAs?: string;
}

/**
 * One public route as data. What validates requests, what the API description says and what tests send are all made from this, so that
 * they cannot differ.
 */
export interface Operation {
  /** Unique; the `operationId` of the description. Example: `createPaymentIntent`. */
  readonly id: string;
  readonly service: ServiceName;
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** As Express reads it. Example: `/v1/payments/intents/:id`. */
  readonly path: string;
  /** Chapter of the description. Example: `Payment intents`. */
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly credential: OperationCredential;
  /** A path parameter that does not fit names nothing: 404, not 400. */
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  /** Only an operation with a body schema reads a body; what others are sent is thrown away unread. */
  readonly body?: z.ZodType;
  /** What the description says of the body, where code and not `body` alone decides which of several shapes applies. */
  readonly describedBody?: z.ZodType;
  /** Instead of the usual 64 KiB. */
  readonly bodyLimit?: `${number}kb` | `${number}mb`;
  /** True where the body schema itself deals with text that Postgres cannot store; without it such a body is refused as a whole. */
  readonly anyText?: boolean;
  /** By status. Those of bad input, credentials, limits and faults follow from the rest and are added by the description. */
  readonly answers: Readonly<Record<number, OperationAnswer>>;
  /** Refusals in business words that this operation can answer beyond those that follow from the rest. */
  readonly errors?: readonly ErrorCode[];
}

/** Keeps the literal types of an operation, so that its handler's input and answers are checked against it. */
export function operation<const Spec extends Operation>(spec: Spec): Spec {
  return spec;
}
