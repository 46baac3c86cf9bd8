import { BusinessError, USUAL_BODY_LIMIT } from '@pay/contracts';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { z } from 'zod';
import { ValidationError } from './errors';
import { noteRoute } from './exchange';
import { assertJson, assertStorableText, assertUtf8, jsonParser, type ByteLimit } from './json-body';
import { queryNameCheck } from './query-names';
import { respond } from './respond';
import { sentencesOf } from './sentences';

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
  /** An invalid path parameter cannot match a record, so the answer is 404. */
  readonly params?: Params;
  /** Message of that 404. Default: the message of NOT_FOUND. */
  readonly notFound?: string | undefined;
  readonly query?: Query;
  /** A route without a body schema does not read the body. */
  readonly body?: Body;
  /** Default: `USUAL_BODY_LIMIT`. */
  readonly bodyLimit?: ByteLimit;
  /**
   * The body schema itself handles text that Postgres cannot store; otherwise such a body is rejected. Invalid UTF-8 is
   * replaced, because rejecting an SMS would lose a payment.
   */
  readonly anyText?: boolean;
}

/** Place credential checks before it: the body of an unauthenticated request must not be read. */
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
    // TypeScript cannot see that these types belong to the schemas.
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
    void jsonParser(schemas.bodyLimit ?? USUAL_BODY_LIMIT)(req, res, (error?: unknown) => {
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
  // After the schema check, because unknown fields are ignored.
  if (!anyText) assertStorableText(body, req.rawBody);
  return body;
}

function check(schema: Schema, input: unknown, subject: string): unknown {
  if (schema === undefined) return undefined;
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw new ValidationError(sentencesOf(result.error.issues, input, subject));
}
