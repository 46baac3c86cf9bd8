import { Pool } from 'undici';

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

/** Sends and reads raw bytes: no JSON conversion. */
export class RawApi {
  private readonly pool: Pool;

  constructor(baseUrl: string) {
    this.pool = new Pool(baseUrl, { connections: 16, pipelining: 1 });
  }

  async send({ method, path, headers = {}, body }: RawRequest): Promise<RawAnswer> {
    const response = await this.pool.request({ method, path, headers, ...(body !== undefined && { body }) });
    const isStream = String(response.headers['content-type']).startsWith('text/event-stream');
    const text = await (isStream ? firstPart(response.body) : response.body.text());
    return { status: response.statusCode, headers: response.headers, text };
  }

  /** Logs in like the dashboard and returns the access token. */
  async signIn(email: string, password: string): Promise<string> {
    const { status, text } = await this.send({
      method: 'POST',
      path: '/v1/auth/login',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    });
    if (status !== 200) throw new Error(`the login returned ${status}: ${text}`);
    return (JSON.parse(text) as { accessToken: string }).accessToken;
  }

  async close(): Promise<void> {
    await this.pool.destroy();
  }
}

/** A stream does not end, so only its beginning is read. */
async function firstPart(body: AsyncIterable<Buffer>): Promise<string> {
  for await (const part of body) return part.toString();
  return '';
}
