import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { freePort } from '@pay/local-servers';
import { verifyWebhook, WebhookVerificationError } from '@pay/signing';
import { eventually, provideProgram } from '@pay/testing';

const ROOT = join(__dirname, '..', '..', '..');

export type ShopFault =
  | 'answers before storing'
  | 'fulfils on redirect'
  | 'ignores the signature'
  | 'ignores environment'
  | 'never fulfils'
  | 'fulfils on any event'
  | 'fulfils without an event';

export interface TestShop {
  readonly webhookUrl: string;
  readonly successUrl: string;
  stop(): Promise<void>;
}

interface Body {
  readonly event: string;
  readonly environment: string;
  readonly challenge?: string;
  readonly data: { readonly payment_intent_id: string };
}

/** A SANDBOX shop as documented in docs/webhooks, or one with a fault. */
export async function startShop(secret: string, fault?: ShopFault): Promise<TestShop> {
  const fulfilled = new Set<string>();

  function receive(raw: Buffer, request: IncomingMessage): { status: number; body?: object } {
    if (fault !== 'ignores the signature') {
      try {
        verifyWebhook(raw, request.headers, [secret]);
      } catch (error) {
        if (error instanceof WebhookVerificationError) return { status: 401 };
        throw error;
      }
    }
    const { event, environment, challenge, data } = JSON.parse(raw.toString()) as Body;
    if (event === 'webhook.endpoint_verification') return { status: 200, body: { challenge } };
    if (event === 'webhook.order_status') {
      const isFulfilled = fault === 'fulfils without an event' || fulfilled.has(data.payment_intent_id);
      return { status: 200, body: { stored: isFulfilled, fulfilled: isFulfilled } };
    }
    const isOurs = environment === 'SANDBOX' || fault === 'ignores environment';
    const isPayment = event === 'payment.paid' || fault === 'fulfils on any event';
    // The shop that responds before it stores is stopped before it has stored anything.
    const forgets = fault === 'answers before storing' || fault === 'never fulfils';
    if (isPayment && isOurs && !forgets) fulfilled.add(data.payment_intent_id);
    return { status: 200, body: {} };
  }

  function open(url: URL): void {
    const id = url.searchParams.get('payment_intent_id');
    if (fault === 'fulfils on redirect' && id !== null && url.searchParams.get('status') === 'PAID') fulfilled.add(id);
  }

  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', 'http://shop.local');
    if (request.method === 'GET') {
      open(url);
      response.writeHead(200).end('Thank you.');
      return;
    }
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { status, body } = receive(Buffer.concat(chunks), request);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? {}));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { webhookUrl: `${origin}/webhooks`, successUrl: `${origin}/paid`, stop: () => close(server) };
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
}

/** The Python example of docs/webhooks. */
export async function startExampleShop(secret: string): Promise<TestShop> {
  const wanted = { name: 'python3', debianPackage: 'python3', elsewhere: 'macOS: `brew install python`' };
  const python = await provideProgram(wanted, (line) => process.stderr.write(`${line}\n`));
  const port = await freePort();
  const child = spawn(python, [join(ROOT, 'docs', 'webhooks', 'examples', 'server.py')], {
    env: { PATH: process.env['PATH'], PORT: String(port), WEBHOOK_SECRET: secret, WEBHOOK_ENVIRONMENT: 'SANDBOX' },
    stdio: 'ignore',
  });
  const origin = `http://127.0.0.1:${port}`;
  await eventually(() => fetch(origin).then(({ status }) => status > 0), 'the example shop answers');
  return { webhookUrl: `${origin}/webhooks`, successUrl: `${origin}/paid`, stop: () => end(child) };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
