import { createLogger, createMetrics, type Metrics } from '@pay/runtime';
import { httpServer } from '../src/index';
import { createKernel, type KernelOptions } from '../src/kernel';
import { eventually } from '@pay/testing';

export interface Served {
  readonly url: string;
  readonly port: number;
  readonly lines: Record<string, any>[];
  readonly metrics: Metrics;
  /** The line about the nth request, 1 for the first. */
  requestLine(nth?: number): Promise<Record<string, any>>;
  send(path: string, init?: RequestInit): Promise<{ status: number; body: any; text: string; headers: Headers }>;
  post(
    path: string,
    body: string | Uint8Array<ArrayBuffer>,
    headers?: Record<string, string>,
  ): ReturnType<Served['send']>;
  close(): Promise<void>;
}

/** A kernel on its own port, with every log line it writes. */
export async function serve(options: Omit<KernelOptions, 'log' | 'metrics'>): Promise<Served> {
  const lines: Record<string, any>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const log = createLogger({ service: 'test', level: 'debug', destination });
  const metrics = createMetrics('test');
  const server = httpServer({
    app: createKernel({ log, metrics, ...options }),
    host: '127.0.0.1',
    port: 0,
    log,
    idleGraceMs: 0,
  });
  const stop = new AbortController();
  const ended = server.run(stop.signal);
  const port = await eventually(async () => server.address()?.port, 'the server listens');
  const url = `http://127.0.0.1:${port}`;

  const send: Served['send'] = async (path, init) => {
    const answer = await fetch(url + path, init);
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') ?? false;
    return {
      status: answer.status,
      text,
      body: isJson && text !== '' ? JSON.parse(text) : undefined,
      headers: answer.headers,
    };
  };
  return {
    url,
    port,
    lines,
    metrics,
    requestLine: (nth = 1) =>
      eventually(
        async () => lines.filter((line) => line['msg'] === 'http.request')[nth - 1],
        `request ${nth} is in the log`,
      ),
    send,
    post: (path, body, headers = {}) =>
      send(path, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } }),
    async close() {
      stop.abort();
      await ended;
    },
  };
}
