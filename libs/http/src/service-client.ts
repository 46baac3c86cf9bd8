import type { ServiceName, Tenant } from '@pay/contracts';
import { traceCall } from '@pay/runtime';
import { Pool } from 'undici';
import { z } from 'zod';
import { TOKEN_SECONDS, type PeerSecret } from './service-auth';
import { secretsOf, signToken } from './signed-token';

/**
 * A failed call to another service. The text names services and statuses, never values.
 *
 * unavailable: no usable response in time (refused, cut, late, 5xx, 429). The effect of a write is unknown.
 * rejected:    a 4xx; `code` is the error code of the response, if it has one.
 * malformed:   a 2xx that violates the contract.
 */
export class ServiceCallFailed extends Error {
  override readonly name = 'ServiceCallFailed';

  constructor(
    readonly kind: 'unavailable' | 'rejected' | 'malformed',
    readonly audience: ServiceName,
    detail: string,
    readonly status?: number,
    readonly code?: string,
    cause?: unknown,
    sentences: readonly string[] = [],
  ) {
    super(`${audience}: ${detail}`, cause === undefined ? undefined : { cause });
    this.#sentences = sentences;
  }

  /** The message of a 4xx. Private, so that it is not logged with the error. */
  readonly #sentences: readonly string[];
  get sentences(): readonly string[] {
    return this.#sentences;
  }
}

export interface ServiceRequest<T> {
  readonly schema: z.ZodType<T>;
  readonly body?: unknown;
  readonly tenant?: Tenant;
  /** Format: `<user id>:<role>`. */
  readonly actor?: string;
  readonly requestId?: string;
  /**
   * Allows one retry of a request other than GET after a broken connection. A repeated request must have the same
   * effect.
   */
  readonly idempotent?: boolean;
}

export interface ServiceClient {
  /** Throws ServiceCallFailed unless a 2xx that matches the schema arrives before the deadline. */
  request<T>(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, request: ServiceRequest<T>): Promise<T>;
  close(): Promise<void>;
}

const LARGEST_ANSWER = 4 * 1024 * 1024;
const errorBody = z.object({
  code: z.string().max(60).optional(),
  message: z.union([z.string().transform((text) => [text]), z.array(z.string())]).catch([]),
});

/** One deadline for all attempts; every request has a signed service token. */
export function serviceClient(options: {
  issuer: ServiceName;
  audience: ServiceName;
  secret: PeerSecret;
  baseUrl: string;
  timeoutMs?: number;
}): ServiceClient {
  const { audience, timeoutMs = 2_000 } = options;
  const base = new URL(options.baseUrl);
  const prefix = base.pathname.replace(/\/$/, '');
  const pool = new Pool(base.origin, {
    connections: 32,
    keepAliveTimeout: 30_000,
    connectTimeout: timeoutMs,
    maxResponseSize: LARGEST_ANSWER,
  });
  const authorization = tokenSource(options);

  async function send(
    method: string,
    path: string,
    given: ServiceRequest<unknown>,
    signal: AbortSignal,
    trace: Record<string, string>,
  ) {
    const headers: Record<string, string> = { ...trace, authorization: authorization() };
    if (given.body !== undefined) headers['content-type'] = 'application/json';
    if (given.tenant) {
      headers['x-merchant-id'] = given.tenant.merchantId;
      headers['x-environment'] = given.tenant.environment;
    }
    if (given.actor !== undefined) headers['x-actor'] = given.actor;
    if (given.requestId !== undefined) headers['x-request-id'] = given.requestId;
    const response = await pool.request({
      method,
      path: prefix + path,
      headers,
      signal,
      ...(given.body === undefined ? {} : { body: JSON.stringify(given.body) }),
    });
    return { status: response.statusCode, text: await response.body.text() };
  }

  async function sendWithRetry(
    method: string,
    path: string,
    given: ServiceRequest<unknown>,
    trace: Record<string, string>,
  ) {
    const deadline = AbortSignal.timeout(timeoutMs);
    try {
      return await send(method, path, given, deadline, trace);
    } catch (error) {
      // The server may close an idle connection while a request is being sent. The retry uses a new connection.
      const repeatable = method === 'GET' || given.idempotent === true;
      if (!repeatable || deadline.aborted || !isBrokenConnection(error)) throw error;
      return send(method, path, given, deadline, trace);
    }
  }

  return {
    async request(method, path, given) {
      let answer: { status: number; text: string };
      try {
        answer = await traceCall(`call ${audience}`, (trace) => sendWithRetry(method, path, given, trace));
      } catch (error) {
        throw new ServiceCallFailed('unavailable', audience, 'no response', undefined, undefined, error);
      }
      const { status } = answer;
      const json = parseJson(answer.text);
      if (status >= 500 || status === 429)
        throw new ServiceCallFailed('unavailable', audience, `returned ${status}`, status);
      if (status >= 300) {
        const { code, message = [] } = errorBody.safeParse(json).data ?? {};
        throw new ServiceCallFailed('rejected', audience, `returned ${status}`, status, code, undefined, message);
      }
      const result = given.schema.safeParse(json);
      if (result.success) return result.data;
      const fields = result.error.issues.map((issue) => issue.path.map(String).join('.') || '(root)');
      throw new ServiceCallFailed(
        'malformed',
        audience,
        `response does not match its schema: ${fields.join(', ')}`,
        status,
      );
    },
    close: () => pool.close(),
  };
}

function tokenSource({ issuer, audience, secret }: { issuer: ServiceName; audience: ServiceName; secret: PeerSecret }) {
  const [current] = secretsOf(secret);
  let header = '';
  let renewAt = 0;
  return () => {
    const now = Date.now();
    if (now >= renewAt) {
      header = `Bearer ${signToken(current, { issuer, audience }, { seconds: TOKEN_SECONDS })}`;
      renewAt = now + (TOKEN_SECONDS * 1_000) / 2;
    }
    return header;
  };
}

const BROKEN = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

function isBrokenConnection(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && BROKEN.has(error.code);
}

function parseJson(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
