import { BusinessError } from '@pay/contracts';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { z } from 'zod';
import { ValidationError } from './errors';
import { noteRoute } from './exchange';
import { assertJson, assertStorableText, assertUtf8, jsonParser, type ByteLimit } from './json-body';
import { queryNameCheck } from './query-names';
import { respond } from './respond';
import { sentencesOf } from './sentences';

/** A response. Without `body` only the status is sent. */
export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

type Schema = z.ZodType | undefined;
type Parsed<S extends Schema> = S extends z.ZodType ? z.output<S> : undefined;

export interface RouteInput<Params extends Schema, Query extends Schema, Body extends Schema> {
  readonly params: Parsed<Params>;
  readonly query: Parsed<Query>;
  readonly body: Parsed<Body>;
  readonly req: Request;
  readonly res: Response;
}

export interface RouteSchemas<Params extends Schema, Query extends Schema, Body extends Schema> {
  /** A path parameter that does not fit names nothing: 404, not 400. */
  readonly params?: Params;
  /** Message of that 404 instead of the usual one. */
  readonly notFound?: string | undefined;
  readonly query?: Query;
  /** Only a route with a body schema reads the body; other bodies are discarded. */
  readonly body?: Body;
  /** Instead of the kernel's limit. */
  readonly bodyLimit?: ByteLimit;
  /**
   * True where the body schema itself deals with text that Postgres cannot store; without it such a body is refused as
   * a whole. Invalid UTF-8 is then replaced too, because a refused SMS would be a lost payment.
   */
  readonly anyText?: boolean;
}

/** Setting of the Express app that holds the kernel's body limit. */
export const BODY_LIMIT = 'pay body limit';

/**
 * A request handler that reads and checks its input before the use case sees it, and sends what the use case answers.
 * Place credentials before it: no body is read for an unauthenticated caller.
 */
export function route<
  Params extends Schema = undefined,
  Query extends Schema = undefined,
  Body extends Schema = undefined,
>(
  schemas: RouteSchemas<Params, Query, Body>,
  handler: (input: RouteInput<Params, Query, Body>) => Answer | Promise<Answer>,
): RequestHandler {
  const checkQueryNames = queryNameCheck(schemas.query);

  async function run(req: Request, res: Response): Promise<void> {
    const params = readParams(schemas.params, req, schemas.notFound);
    const query = schemas.query === undefined ? undefined : readQuery(schemas.query, req.query);
    const body = schemas.body === undefined ? undefined : readBody(schemas.body, req, schemas.anyText ?? false);
    // The three conditional types are exactly what the three schemas just produced.
    const answer = await handler({ params, query, body, req, res } as RouteInput<Params, Query, Body>);
    if (!res.headersSent && !res.destroyed) respond(res, answer.status, answer.body, answer.headers);
  }

  function readQuery(schema: z.ZodType, given: Request['query']): unknown {
    checkQueryNames(given);
    return check(schema, given, 'query');
  }

  if (schemas.body === undefined) {
    return (req: Request, res: Response) => {
      noteRoute(req, res);
      return run(req, res);
    };
  }
  return (req: Request, res: Response, next: NextFunction) => {
    noteRoute(req, res);
    assertJson(req);
    const limit = schemas.bodyLimit ?? (req.app.get(BODY_LIMIT) as ByteLimit);
    void jsonParser(limit)(req, res, (error?: unknown) => {
      if (error === undefined) run(req, res).catch(next);
      else next(error);
    });
  };
}

function readParams(schema: Schema, req: Request, notFound: string | undefined): unknown {
  if (schema === undefined) return undefined;
  const result = schema.safeParse(req.params);
  if (result.success) return result.data;
  throw new BusinessError('NOT_FOUND', notFound);
}

function readBody(schema: z.ZodType, req: Request, anyText: boolean): unknown {
  if (!anyText) assertUtf8(req.rawBody);
  const body = check(schema, req.body ?? {}, 'body');
  // After the check, because fields that the schema does not know are ignored.
  if (!anyText) assertStorableText(body, req.rawBody);
  return body;
}

function check(schema: Schema, input: unknown, subject: string): unknown {
  if (schema === undefined) return undefined;
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw new ValidationError(sentencesOf(result.error.issues, input, subject));
}
