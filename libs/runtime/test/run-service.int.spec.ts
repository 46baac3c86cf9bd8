import { buildSync } from 'esbuild';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { eventually } from '@pay/testing';

const ROOT = resolve(__dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'run-service-'));
const program = join(folder, 'service.js');
const started = new Set<ChildProcess>();

interface Program {
  readonly child: ChildProcess;
  readonly lines: Record<string, any>[];
  readonly exit: Promise<{ code: number | null; signal: string | null }>;
  line(msg: string): Promise<Record<string, any>>;
  messages(): string[];
}

function start(scenario: string, ...more: string[]): Program {
  const child = spawn(process.execPath, [program, scenario, ...more], {
    env: { ...process.env, NODE_PATH: join(ROOT, 'node_modules') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  started.add(child);
  const lines: Record<string, any>[] = [];
  let rest = '';
  child.stdout.on('data', (chunk: Buffer) => {
    const whole = (rest + chunk.toString()).split('\n');
    rest = whole.pop() ?? '';
    lines.push(...whole.map((line) => JSON.parse(line)));
  });
  return {
    child,
    lines,
    exit: once(child, 'close').then(([code, signal]) => ({ code, signal })),
    line: (msg) => eventually(async () => lines.find((line) => line['msg'] === msg), `the program logs ${msg}`),
    messages: () => lines.map((line) => line['msg']),
  };
}

beforeAll(() => {
  buildSync({
    entryPoints: [join(__dirname, 'programs/service.ts')],
    outfile: program,
    bundle: true,
    platform: 'node',
    packages: 'external',
  });
});

afterEach(() => {
  for (const child of started) child.kill('SIGKILL');
  started.clear();
});

afterAll(() => rmSync(folder, { recursive: true }));

describe('a running service', () => {
  it('answers health, metrics and internal routes on its private port', async () => {
    const { line } = start('well');
    const { privatePort, port } = await line('service.started');
    const get = async (path: string) => {
      const answer = await fetch(`http://127.0.0.1:${privatePort}${path}`);
      return { status: answer.status, text: await answer.text() };
    };

    expect(port).toBeGreaterThan(0);
    expect(await get('/livez')).toMatchObject({ status: 200 });
    expect(await get('/readyz?verbose')).toEqual({
      status: 200,
      text: '{"status":"ready","failing":[],"version":"1.2.3","commit":"0123abc"}',
    });
    expect((await get('/metrics')).text).toContain('process_cpu_seconds_total{service="program"}');
    expect(await get('/internal/v1/x')).toEqual({ status: 200, text: 'internal /internal/v1/x' });
  });

  it('answers 405 with Allow to methods other than GET and HEAD on health and metrics', async () => {
    const { line } = start('well');
    const { privatePort } = await line('service.started');

    for (const path of ['/livez', '/readyz', '/metrics']) {
      for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
        const refused = await fetch(`http://127.0.0.1:${privatePort}${path}`, { method });
        expect({ status: refused.status, allow: refused.headers.get('allow') }).toEqual({
          status: 405,
          allow: 'GET, HEAD',
        });
      }
      const head = await fetch(`http://127.0.0.1:${privatePort}${path}`, { method: 'HEAD' });
      expect({ status: head.status, text: await head.text() }).toEqual({ status: 200, text: '' });
    }
  });

  it('is live but not ready while a check fails, and names the check', async () => {
    const { line } = start('has no database');
    const { privatePort } = await line('service.started');

    const ready = await fetch(`http://127.0.0.1:${privatePort}/readyz`);
    const live = await fetch(`http://127.0.0.1:${privatePort}/livez`);

    expect(ready.status).toBe(503);
    expect(await ready.json()).toMatchObject({ status: 'unready', failing: ['database'] });
    expect(live.status).toBe(200);
  });

  it.each([
    ['well', 1],
    ['has no database', 0],
  ])('reports its readiness as a metric without a request to /readyz (%s)', async (scenario, ready) => {
    const { line } = start(scenario);
    const { privatePort } = await line('service.started');

    const metrics = await fetch(`http://127.0.0.1:${privatePort}/metrics`);

    expect(await metrics.text()).toContain(`service_ready{service="program"} ${ready}\n`);
  });
});

describe('SIGTERM', () => {
  it('completes the request in progress while all workers run, makes the service unready immediately, closes resources in reverse order and exits with 0', async () => {
    const { child, line, exit, messages } = start('well');
    const { port, privatePort } = await line('service.started');
    const answer = fetch(`http://127.0.0.1:${port}/`);
    await line('request.begun');

    child.kill('SIGTERM');
    await line('service.stopping');
    const ready = await fetch(`http://127.0.0.1:${privatePort}/readyz`);
    const live = await fetch(`http://127.0.0.1:${privatePort}/livez`);
    // For half a second, requests that a proxy has already sent are answered; every response closes its connection.
    const late = await fetch(`http://127.0.0.1:${port}/`).then(
      ({ headers }) => headers.get('connection'),
      () => 'refused',
    );

    expect(ready.status).toBe(503);
    expect(await ready.json()).toMatchObject({ status: 'unready', failing: ['stopping'] });
    expect(live.status).toBe(200);
    expect(['close', 'refused']).toContain(late);
    const finished = await answer;
    expect(await finished.text()).toBe('done');
    expect(finished.headers.get('connection')).toBe('close');
    expect(await exit).toEqual({ code: 0, signal: null });
    expect(messages().slice(-6)).toEqual([
      'http.released',
      'http.drained',
      'steady.finished',
      'resource.closed',
      'resource.closed',
      'service.stopped',
    ]);
  });

  it('closes the resource that was opened last first', async () => {
    const { child, line, exit, lines } = start('well');
    await line('service.started');

    child.kill('SIGINT');
    await exit;

    expect(lines.filter((one) => one['msg'] === 'resource.closed').map((one) => one['name'])).toEqual([
      'broker',
      'database',
    ]);
  });

  it('has no further effect when it is sent again', async () => {
    const { child, line, exit, messages } = start('well');
    await line('service.started');

    child.kill('SIGTERM');
    await line('service.stopping');
    child.kill('SIGTERM');
    child.kill('SIGINT');

    expect(await exit).toEqual({ code: 0, signal: null });
    expect(messages().filter((msg) => msg === 'service.stopping')).toHaveLength(1);
    expect(messages().filter((msg) => msg === 'resource.closed')).toHaveLength(2);
  });

  it('ends the service cleanly while it starts', async () => {
    const { exit, messages } = start('is stopped while it starts');

    expect(await exit).toEqual({ code: 0, signal: null });
    expect(messages()).toContain('service.stopped');
    expect(messages()).not.toContain('service.started');
  });

  it('ends the process after shutdownSeconds with exit code 1 when a worker hangs', async () => {
    const { child, line, exit, lines } = start('hangs');
    await line('service.started');

    child.kill('SIGTERM');

    expect(await exit).toEqual({ code: 1, signal: null });
    expect(lines.at(-1)).toMatchObject({ level: 'fatal', msg: 'service.stop_timed_out' });
  });

  it('ends the process with exit code 1 as soon as nothing is left that could finish', async () => {
    const { child, line, exit, messages } = start('closes for ever');
    await line('service.started');

    child.kill('SIGTERM');

    expect(await exit).toEqual({ code: 1, signal: null });
    expect(messages()).not.toContain('service.stop_timed_out');
  });

  it.each([
    ['fails to stop', 'worker.stop_failed'],
    ['cannot close', 'service.close_failed'],
  ])(
    'ends the process with exit code 1 when a part %s, after all others were closed, and logs %s',
    async (scenario, msg) => {
      const { child, line, exit, lines } = start(scenario);
      await line('service.started');

      child.kill('SIGTERM');

      expect(await exit).toEqual({ code: 1, signal: null });
      expect(lines).toContainEqual(expect.objectContaining({ msg, err: expect.anything() }));
      expect(lines).toContainEqual(expect.objectContaining({ msg: 'resource.closed', name: 'database' }));
      expect(lines.at(-1)).toMatchObject({ msg: 'service.stopped', exitCode: 1 });
    },
  );
});

describe('a failing part', () => {
  it.each([
    ['dies', 'worker.failed'],
    ['returns', 'worker.ended'],
  ])('stops the whole service in order with exit code 1: a worker that %s', async (scenario, msg) => {
    const { exit, lines, messages } = start(scenario);

    expect(await exit).toEqual({ code: 1, signal: null });
    expect(lines).toContainEqual(expect.objectContaining({ level: 'fatal', msg, worker: 'second' }));
    expect(messages().slice(-4)).toEqual(['steady.finished', 'resource.closed', 'resource.closed', 'service.stopped']);
  });

  it.each([
    ['leaves a rejection', 'process.unhandled_rejection'],
    ['throws in a callback', 'process.uncaught_exception'],
  ])('ends the process immediately and logs the reason when a part %s: %s', async (scenario, msg) => {
    const { exit, lines, messages } = start(scenario);

    expect(await exit).toEqual({ code: 1, signal: null });
    expect(lines.at(-1)).toMatchObject({
      level: 'fatal',
      msg,
      err: { message: 'forgotten' },
    });
    expect(messages()).not.toContain('service.stopped');
  });

  it('ends the process with exit code 1 and a message when the private port is in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();

    const { exit, lines, messages } = start('well', String(typeof address === 'object' ? address?.port : 0));

    expect(await exit).toEqual({ code: 1, signal: null });
    expect(lines).toContainEqual(
      expect.objectContaining({
        msg: 'private_server.cannot_listen',
        err: expect.objectContaining({ code: 'EADDRINUSE' }),
      }),
    );
    expect(messages()).not.toContain('steady.running');
    taken.close();
  });
});

describe('log lines at the end of a process', () => {
  it.each([
    ['crashes after many lines', 'process.unhandled_rejection'],
    ['stops after many lines', 'service.stopped'],
  ])('are complete in a process that %s', async (scenario, last) => {
    const { exit, lines } = start(scenario);

    await exit;

    expect(lines.filter((line) => line['msg'] === 'many').map((line) => line['line'])).toEqual(
      Array.from({ length: 20_000 }, (_, index) => index),
    );
    expect(lines.at(-1)).toMatchObject({ msg: last });
  });
});
