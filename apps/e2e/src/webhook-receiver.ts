import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { verify } from '@pay/signing';

export interface ReceivedWebhook {
  readonly deliveryId: string;
  readonly event: string;
  readonly intentId: string;
  readonly status: string;
  readonly isGenuine: boolean;
  readonly data: Readonly<Record<string, unknown>>;
  /** Milliseconds of performance.now() in this process. */
  readonly at: number;
}

/** Verifies each signature over the raw bytes, responds with 200 and stores the webhook. Also answers challenges. */
export class WebhookReceiver {
  readonly received: ReceivedWebhook[] = [];
  private readonly waiting = new Map<string, (webhook: ReceivedWebhook) => void>();
  private readonly byIntent = new Map<string, ReceivedWebhook[]>();
  private readonly secrets: string[];

  private constructor(
    private readonly server: Server,
    readonly url: string,
    secret: string,
  ) {
    this.secrets = [secret];
  }

  /** Accepts webhooks signed with this secret too. */
  accept(secret: string): void {
    this.secrets.push(secret);
  }

  static async listen(secret: string, onReceived?: (webhook: ReceivedWebhook) => void): Promise<WebhookReceiver> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const receiver = new WebhookReceiver(
      server,
      `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
      secret,
    );
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const raw = Buffer.concat(chunks);
        const body = JSON.parse(raw.toString()) as {
          event: string;
          challenge?: string;
          data: { payment_intent_id: string; status: string } & Record<string, unknown>;
        };
        if (body.event === 'webhook.endpoint_verification') {
          response.writeHead(200, { 'content-type': 'application/json' });
          response.end(JSON.stringify({ challenge: body.challenge }));
          return;
        }
        const webhook: ReceivedWebhook = {
          deliveryId: String(request.headers['x-webhook-id']),
          event: body.event,
          intentId: body.data.payment_intent_id,
          status: body.data.status,
          data: body.data,
          isGenuine: receiver.isGenuine(raw, String(request.headers['x-webhook-signature'])),
          at: performance.now(),
        };
        receiver.remember(webhook);
        onReceived?.(webhook);
        response.writeHead(200).end();
      });
    });
    return receiver;
  }

  private isGenuine(raw: Buffer, signature: string): boolean {
    return this.secrets.some((secret) => verify(raw, signature, secret));
  }

  private remember(webhook: ReceivedWebhook): void {
    this.received.push(webhook);
    const key = `${webhook.event}:${webhook.intentId}`;
    const known = this.byIntent.get(key);
    if (known) known.push(webhook);
    else this.byIntent.set(key, [webhook]);
    this.waiting.get(key)?.(webhook);
    this.waiting.delete(key);
  }

  /** Includes repeats. */
  of(event: string, intentId: string): readonly ReceivedWebhook[] {
    return this.byIntent.get(`${event}:${intentId}`) ?? [];
  }

  /** Also resolves with a webhook that arrived before the call. */
  async next(event: string, intentId: string, timeoutMs = 60_000): Promise<ReceivedWebhook> {
    const known = this.of(event, intentId)[0];
    if (known) return known;
    return new Promise((resolve, reject) => {
      const key = `${event}:${intentId}`;
      const timer = setTimeout(() => {
        this.waiting.delete(key);
        reject(new Error(`no ${event} for intent ${intentId} within ${timeoutMs} ms`));
      }, timeoutMs);
      this.waiting.set(key, (webhook) => {
        clearTimeout(timer);
        resolve(webhook);
      });
    });
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
