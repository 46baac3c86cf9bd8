import { buildSync } from 'esbuild';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { captureServer, eventually, promptly } from '@pay/testing';

const ROOT = resolve(__dirname, '../../..');
const PHONE = '01798765432';
const folder = mkdtempSync(join(tmpdir(), 'telemetry-'));
const started = new Set<ChildProcess>();

interface Program {
  readonly url: string;
  readonly lines: Record<string, any>[];
  line(msg: string): Promise<Record<string, any>>;
  stop(): Promise<unknown>;
}

/** Bundled as production is: our libraries inside, packages outside, telemetry preloaded from its own bundle. */
async function start(options: { preload: boolean; backUrl?: string; env?: Record<string, string> }): Promise<Program> {
  const child = spawn(
    process.execPath,
    [
      ...(options.preload ? ['--require', join(folder, 'telemetry.js')] : []),
      join(folder, 'program.js'),
      ...(options.backUrl === undefined ? [] : [options.backUrl]),
    ],
    {
      env: { ...process.env, NODE_PATH: join(ROOT, 'node_modules'), ...options.env },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  started.add(child);
  const lines: Record<string, any>[] = [];
  let rest = '';
  child.stdout.on('data', (chunk: Buffer) => {
    const whole = (rest + chunk.toString()).split('\n');
    rest = whole.pop() ?? '';
    lines.push(...whole.map((line) => JSON.parse(line)));
  });
  const line: Program['line'] = (msg) =>
    eventually(async () => lines.find((one) => one['msg'] === msg), `the program logs ${msg}`);
  const { port } = await line('service.started');
  return {
    url: `http://127.0.0.1:${port}`,
    lines,
    line,
    stop: () => {
      child.kill('SIGTERM');
      return once(child, 'close');
    },
  };
}

const post = (program: Program, headers: Record<string, string> = {}) =>
  fetch(`${program.url}/v1/things/outer-7f3a9c?msisdn=${PHONE}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ phone: PHONE }),
  });

beforeAll(() => {
  const shared = { bundle: true, platform: 'node', packages: 'external' } as const;
  buildSync({
    ...shared,
    entryPoints: [join(__dirname, 'programs/traced-service.ts')],
    outfile: join(folder, 'program.js'),
    alias: {
      '@pay/runtime': join(ROOT, 'libs/runtime/src/index.ts'),
      '@pay/contracts': join(ROOT, 'libs/contracts/src/index.ts'),
    },
  });
  buildSync({
    ...shared,
    entryPoints: [join(ROOT, 'libs/runtime/src/telemetry.ts')],
    outfile: join(folder, 'telemetry.js'),
  });
});

afterEach(() => {
  for (const child of started) child.kill('SIGKILL');
  started.clear();
});

afterAll(() => rmSync(folder, { recursive: true }));

it('logs the same trace id in every line about a request in both services when telemetry is preloaded', async () => {
  const back = await start({ preload: true });
  const front = await start({ preload: true, backUrl: back.url });

  expect((await post(front)).status).toBe(200);

  const lines = [
    await front.line('intent.created'),
    await front.line('http.request'),
    await back.line('intent.created'),
    await back.line('http.request'),
  ];
  const [trace] = new Set(lines.map((line) => line['trace_id']));
  expect(trace).toMatch(/^[0-9a-f]{32}$/);
  expect(lines.map((line) => line['trace_id'])).toEqual([trace, trace, trace, trace]);
  expect(new Set(lines.map((line) => line['span_id'])).size).toBe(2);
});

it('serves requests without trace ids when telemetry is not preloaded', async () => {
  const front = await start({ preload: false });

  expect((await post(front)).status).toBe(200);

  expect(await front.line('http.request')).not.toHaveProperty('trace_id');
});

it('continues the trace of an incoming request', async () => {
  const front = await start({ preload: true });
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';

  await post(front, { traceparent: `00-${traceId}-00f067aa0ba902b7-01` });

  expect(await front.line('http.request')).toMatchObject({ trace_id: traceId });
});

it('loads no exporter except the configured one', () => {
  const show = `console.log(Object.keys(require.cache).join('\\n'))`;
  const { stdout } = spawnSync(process.execPath, ['--require', join(folder, 'telemetry.js'), '--eval', show], {
    env: { ...process.env, NODE_PATH: join(ROOT, 'node_modules') },
    encoding: 'utf8',
  });

  const exporters = new Set(stdout.match(/(?<=@opentelemetry\/)exporter-[a-z-]+/g));
  expect([...exporters]).toEqual(['exporter-trace-otlp-proto']);
  expect(stdout).not.toContain('grpc-js');
});

describe('with a collector', () => {
  const sent = (collector: Awaited<ReturnType<typeof captureServer>>) =>
    Buffer.concat(collector.requests.map((request) => request.rawBody)).toString('latin1');

  it('exports spans of routes and calls when the process ends, without paths, queries, phone numbers or SMS texts', async () => {
    const collector = await captureServer();
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      TRACE_SAMPLE_RATIO: '1',
      OTEL_SERVICE_NAME: 'front-service',
    };
    const back = await start({ preload: true });
    const front = await start({ preload: true, backUrl: back.url, env });

    await post(front);
    await fetch(`${front.url}/v1/fails`);
    await front.stop();

    const text = sent(collector);
    await collector.close();
    expect(collector.requests[0]?.path).toBe('/v1/traces');
    for (const part of ['front-service', 'POST /v1/things/:id', 'call reconciler', 'GET /v1/fails'])
      expect(text).toContain(part);
    for (const part of [PHONE, '7f3a9c', 'bad number', 'msisdn', '127.0.0.1']) expect(text).not.toContain(part);
  });

  it('ignores a sampling flag from outside', async () => {
    const collector = await captureServer();
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, TRACE_SAMPLE_RATIO: '0' };
    const front = await start({ preload: true, env });

    await post(front, { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' });
    await front.line('http.request');
    await front.stop();

    await collector.close();
    expect(collector.requests).toEqual([]);
  });

  it('delays the end of the process by at most two seconds when the collector does not answer', async () => {
    const collector = await captureServer();
    collector.respondWith(() => undefined);
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, TRACE_SAMPLE_RATIO: '1' };
    await promptly(4_000, async () => {
      const front = await start({ preload: true, env });
      await post(front);
      await front.line('http.request');

      const begun = performance.now();
      const [code] = (await front.stop()) as [number];
      expect(code).toBe(0);
      return performance.now() - begun;
    });
    await collector.close();
  });
});
