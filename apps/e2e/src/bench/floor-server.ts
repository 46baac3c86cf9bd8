/** Servers for the floors, in a separate process. Usage: floor-server.js bare|express-insert|express-select */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StopSignal } from '@pay/local-servers';
import express from 'express';
import pg from 'pg';

const stop = new StopSignal();
stop.listen();

async function listener(kind: string): Promise<RequestListener> {
  if (kind === 'bare') {
    void stop.requested.then(() => process.exit(0));
    return (request, response) => {
      request.resume();
      request.on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}'));
    };
  }
  const pool = new pg.Pool({ connectionString: process.env['FLOOR_POSTGRES_URL'], max: 10 });
  const table = kind === 'express-select' ? 'bench_floor_read' : 'bench_floor';
  await pool.query(`drop table if exists ${table}`);
  await pool.query(`create table ${table} (id bigint generated always as identity primary key, body jsonb)`);
  await pool.query(
    `insert into ${table} (body) select jsonb_build_object('amount', n, 'text', repeat('x', 450)) from generate_series(1, 1000) n`,
  );
  await pool.query(`vacuum analyze ${table}`);
  const app = express();
  app.use(express.json());
  app.post('/', async (request, response) => {
    await pool.query({ name: 'floor', text: `insert into ${table} (body) values ($1)`, values: [request.body] });
    response.status(201).json({ ok: true });
  });
  app.get('/:id', async (request, response) => {
    const text = `select id, body from ${table} where id = $1`;
    const { rows } = await pool.query({ name: 'floor-read', text, values: [request.params.id] });
    response.status(200).json(rows[0]);
  });
  void stop.requested.then(() => pool.query(`drop table ${table}`)).finally(() => process.exit(0));
  return app;
}

void listener(process.argv[2] ?? 'bare').then((handler) => {
  const server = createServer(handler);
  server.listen(0, '127.0.0.1', () => {
    process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
  });
});
