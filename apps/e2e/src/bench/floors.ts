import { spawn } from 'node:child_process';
import { once } from 'node:events';
import amqp from 'amqplib';
import { Pool } from 'undici';

/** Upper bounds of this machine at this time. All figures are compared with them. */
export interface Floors {
  /** Requests per second of Express 5 with one JSON POST and one autocommitted INSERT. */
  readonly expressInsertPerSecond: number;
  /** Requests per second of Express 5 with one GET and one row by primary key. */
  readonly expressSelectPerSecond: number;
  /** Confirmed persistent messages per second to a quorum queue, with 64 in flight. */
  readonly confirmedPublishPerSecond: number;
  /** Requests per second of a bare node:http server with a 500-byte JSON POST, sent by undici over 16 connections. */
  readonly httpPostPerSecond: number;
}

const SECONDS = 3;
/** Concurrent connections to the floor servers. Services are measured with the same number. */
export const FLOOR_CONNECTIONS = 128;
/** Rows of the floor for reads. Their ids start at 1. */
const FLOOR_ROWS = 1_000;
const BODY = JSON.stringify({ amount: 500, text: 'x'.repeat(450) });

interface FloorUrls {
  readonly postgresUrl: string;
  readonly amqpUrl: string;
  readonly serverFile: string;
}

/** Floors are measured again whenever a figure needs one. */
export interface FloorMeter {
  readonly insert: () => Promise<number>;
  readonly select: () => Promise<number>;
}

export function floorMeter({ serverFile, postgresUrl }: Pick<FloorUrls, 'serverFile' | 'postgresUrl'>): FloorMeter {
  return {
    insert: () => measureServer(serverFile, 'express-insert', postgresUrl, FLOOR_CONNECTIONS),
    select: () => measureServer(serverFile, 'express-select', postgresUrl, FLOOR_CONNECTIONS),
  };
}

export async function measureFloors(urls: FloorUrls): Promise<Floors> {
  const meter = floorMeter(urls);
  return {
    expressInsertPerSecond: await meter.insert(),
    expressSelectPerSecond: await meter.select(),
    confirmedPublishPerSecond: await measurePublish(urls.amqpUrl),
    httpPostPerSecond: await measureServer(urls.serverFile, 'bare', urls.postgresUrl, 16),
  };
}

async function measureServer(file: string, kind: string, postgresUrl: string, connections: number): Promise<number> {
  const child = spawn(process.execPath, [file, kind], {
    env: { ...process.env, FLOOR_POSTGRES_URL: postgresUrl },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const pool = new Pool(line.toString().trim(), { connections, pipelining: 1 });
  let asked = 0;
  const get = () => pool.request({ method: 'GET', path: `/${((asked += 1) % FLOOR_ROWS) + 1}` });
  const post = () =>
    pool.request({ method: 'POST', path: '/', headers: { 'content-type': 'application/json' }, body: BODY });
  const request = async () => {
    const response = await (kind === 'express-select' ? get() : post());
    if (response.statusCode >= 400) throw new Error(`the floor server returned ${response.statusCode}`);
    await response.body.text();
  };
  await ratePerSecond(request, connections, 1);
  const rate = await ratePerSecond(request, connections, SECONDS);
  await pool.destroy();
  child.kill('SIGTERM');
  await once(child, 'exit');
  return rate;
}

/** Keeps `inFlight` calls running for `seconds`. Returns completed calls per second. */
export async function ratePerSecond(call: () => Promise<void>, inFlight: number, seconds: number): Promise<number> {
  const started = performance.now();
  const end = started + seconds * 1000;
  let done = 0;
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      while (performance.now() < end) {
        await call();
        done += 1;
      }
    }),
  );
  return (done * 1000) / (performance.now() - started);
}

async function measurePublish(amqpUrl: string): Promise<number> {
  const connection = await amqp.connect(amqpUrl, { noDelay: true });
  const channel = await connection.createConfirmChannel();
  const queue = `floor.${process.pid}`;
  await channel.assertQueue(queue, { durable: true, arguments: { 'x-queue-type': 'quorum' } });
  const body = Buffer.from(BODY);
  const publish = () =>
    new Promise<void>((resolve, reject) => {
      channel.publish('', queue, body, { persistent: true }, (error: unknown) => {
        if (error) reject(new Error('publish was not confirmed'));
        else resolve();
      });
    });
  const rate = await ratePerSecond(publish, 64, SECONDS);
  await channel.deleteQueue(queue);
  await connection.close();
  return rate;
}
