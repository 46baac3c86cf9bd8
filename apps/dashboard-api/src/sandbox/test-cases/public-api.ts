import { setTimeout as delay } from 'node:timers/promises';

export interface PublicAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface PublicRequest {
  readonly apiKey?: string;
  readonly body?: unknown;
}

export type CallPublicApi = (method: 'GET' | 'POST', path: string, request?: PublicRequest) => Promise<PublicAnswer>;

const DEADLINE_MS = 10_000;
const MOST_TRIES = 8;
const LONGEST_PAUSE_MS = 5_000;

/** Repeats a call after 429 or 503 with the delay of Retry-After. */
export function publicApi(baseUrl: string): CallPublicApi {
  const base = baseUrl.replace(/\/$/, '');
  return async (method, path, { apiKey, body } = {}) => {
    for (let tries = 1; ; tries += 1) {
      const response = await fetch(base + path, {
        method,
        headers: {
          ...(apiKey !== undefined && { 'x-api-key': apiKey }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        redirect: 'error',
        signal: AbortSignal.timeout(DEADLINE_MS),
      });
      const text = await response.text();
      const isTemporary = response.status === 429 || response.status === 503;
      if (!isTemporary || tries === MOST_TRIES) return { status: response.status, body: objectOf(text) };
      const seconds = Number(response.headers.get('retry-after') ?? 1);
      await delay(Math.min((Number.isFinite(seconds) ? seconds : 1) * 1_000, LONGEST_PAUSE_MS));
    }
  };
}

/** The first of these fields that is a text. */
export function textOf(body: PublicAnswer['body'], ...fields: readonly string[]): string {
  const found = fields.map((field) => body[field]).find((value) => typeof value === 'string');
  return typeof found === 'string' ? found : '';
}

function objectOf(text: string): PublicAnswer['body'] {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === 'object' && json !== null ? (json as PublicAnswer['body']) : {};
  } catch {
    return {};
  }
}
