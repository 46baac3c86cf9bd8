import { once } from 'node:events';
import amqp from 'amqplib';
import { Pool } from 'undici';
import { openProgram, withOpened, type Opened } from './opened';

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

export interface FloorsOf {
  readonly postgresUrl: string;
  readonly amqpUrl: string;
  readonly serverFile: string;
  readonly opened: Opened;
}

/** Floors are measured again whenever a figure needs one. */
export interface FloorMeter {
  readonly insert: () => Promise<number>;
  readonly select: () => Promise<number>;
}

export function floorMeter(floors: FloorsOf): FloorMeter {
  return {
    insert: () => measureServer(floors, 'express-insert', FLOOR_CONNECTIONS),
    select: () => measureServer(floors, 'express-select', FLOOR_CONNECTIONS),
  };
}

export async function measureFloors(floors: FloorsOf): Promise<Floors> {
  const meter = floorMeter(floors);
  return {
    expressInsertPerSecond: await meter.insert(),
    expressSelectPerSecond: await meter.select(),
    confirmedPublishPerSecond: await withOpened(floors.opened, (opened) => measurePublish(floors.amqpUrl, opened)),
    httpPostPerSecond: await measureServer(floors, 'bare', 16),
  };
}

async function measureServer(floors: FloorsOf, kind: string, connections: number): Promise<number> {
  return withOpened(floors.opened, async (opened) => {
    const env = { ...process.env, FLOOR_POSTGRES_URL: floors.postgresUrl };
    const { output } = await openProgram(opened, [floors.serverFile, kind], env);
    const [line] = (await once(output, 'data')) as [Buffer];
    const pool = await opened.open(
      () => new Pool(line.toString().trim(), { connections, pipelining: 1 }),
      (it) => it.destroy(),
    );
    return rateOfServer(pool, kind, connections);
  });
}

async function rateOfServer(pool: Pool, kind: string, connections: number): Promise<number> {
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
  return ratePerSecond(request, connections, SECONDS);
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

async function measurePublish(amqpUrl: string, opened: Opened): Promise<number> {
  const connection = await opened.open(
    () => amqp.connect(amqpUrl, { noDelay: true }),
    (it) => it.close(),
  );
  const channel = await connection.createConfirmChannel();
  const queue = `floor.${process.pid}`;
  await opened.open(
    () => channel.assertQueue(queue, { durable: true, arguments: { 'x-queue-type': 'quorum' } }),
    () => channel.deleteQueue(queue),
  );
  const body = Buffer.from(BODY);
  const publish = () =>
    new Promise<void>((resolve, reject) => {
      channel.publish('', queue, body, { persistent: true }, (error: unknown) => {
        if (error) reject(new Error('publish was not confirmed'));
        else resolve();
      });
    });
  return ratePerSecond(publish, 64, SECONDS);
}
