import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { verifyWebhook } from '@pay/signing';
import { aRandomTrxId, bkashSendMoneyText, eventually } from '@pay/testing';
import { Pool } from 'undici';
import { messageOf } from '../message-of';
import type { SeededAccess } from '../seed-file';
import { countPayments, RequestCounter, type LoadFigures } from './load-figures';

const METHOD = 'BKASH_SEND_MONEY';
const CONNECTIONS = 128;
/** Further payments start later. A queue here would measure the load generator instead of the cluster. */
const MOST_UNDER_WAY = 512;
const TICK_MS = 5;
const REPEAT_AFTER_MS = 100;
const PATIENCE_MS = 180_000;
const REQUEST_TIMEOUT_MS = 30_000;

interface Access {
  readonly baseUrl: string;
  readonly merchant: SeededAccess;
  /** Address of this machine for requests from pods to the shop. */
  readonly shopHost: string;
}

type Json = Readonly<Record<string, unknown>>;

/**
 * Payments start at a steady rate without waiting for responses. A failed request is counted and repeated until it
 * succeeds, like real clients do.
 */
export class PaymentLoad {
  private readonly secret = randomBytes(32).toString('hex');
  private readonly webhooks = new Map<string, Map<string, number>>();
  private readonly trxIds = new Set<string>();
  private readonly running = new Set<Promise<void>>();
  private counter = new RequestCounter();
  private paid: string[] = [];
  private startedAt = 0;
  private endpointId = '';
  private cursor: string | undefined;
  private beginning: Promise<void> | undefined;
  private isEnding = false;
  private error: Error | undefined;

  private constructor(
    private readonly pool: Pool,
    private readonly merchant: SeededAccess,
    private readonly shop: Server,
  ) {}

  static async open({ baseUrl, merchant, shopHost }: Access): Promise<PaymentLoad> {
    const shop = createServer();
    await new Promise<void>((resolve) => shop.listen(0, shopHost, resolve));
    const pool = new Pool(baseUrl, {
      connections: CONNECTIONS,
      pipelining: 1,
      headersTimeout: REQUEST_TIMEOUT_MS,
      bodyTimeout: REQUEST_TIMEOUT_MS,
    });
    const load = new PaymentLoad(pool, merchant, shop);
    shop.on('request', (request: IncomingMessage, response: ServerResponse) => void load.receive(request, response));
    const url = `http://${shopHost}:${(shop.address() as AddressInfo).port}/webhooks`;
    await load.forgetEndpoints();
    const body = { url, secret: load.secret, eventTypes: ['payment.paid'] };
    load.endpointId = String((await load.call('POST', '/v1/webhooks/endpoints', body))['id']);
    await load.readFeed();
    return load;
  }

  begin(perSecond: number): void {
    this.counter = new RequestCounter();
    this.paid = [];
    this.isEnding = false;
    this.startedAt = performance.now();
    this.beginning = this.beginSteadily(perSecond);
  }

  /** Resolves after this number of further accepted payments. */
  async played(payments: number): Promise<void> {
    const wanted = this.paid.length + payments;
    await eventually(
      () => {
        if (this.error !== undefined) throw this.error;
        return this.paid.length >= wanted;
      },
      `${payments} more payments are accepted`,
      { timeoutMs: PATIENCE_MS },
    );
  }

  /** Waits until all requests have ended, and compares accepted payments with feed and webhooks. */
  async end(): Promise<LoadFigures> {
    this.isEnding = true;
    await this.beginning;
    const seconds = (performance.now() - this.startedAt) / 1_000;
    await Promise.all(this.running);
    if (this.error !== undefined) throw this.error;
    const requests = this.counter.counts();
    const events = new Map<string, number>();
    const paid = [...this.paid];
    await this.patiently(async () => {
      await this.readFeed(events);
      return paid.every((id) => events.has(id) && this.webhooks.has(id));
    });
    // A delivery whose sender was killed before it stored the response is sent again.
    await this.patiently(() => this.hasNoOpenDelivery());
    await this.readFeed(events);
    const counts = countPayments({ paid, events, webhooks: this.webhooks });
    this.webhooks.clear();
    return { ...counts, ...requests, seconds, perSecond: counts.payments / seconds };
  }

  /** The endpoint is deleted, because all later payments would still be sent to it. */
  async close(): Promise<void> {
    this.isEnding = true;
    await this.beginning;
    if (this.endpointId !== '') {
      await this.call('DELETE', `/v1/webhooks/endpoints/${this.endpointId}`).catch(() => undefined);
    }
    await this.pool.destroy();
    this.shop.closeAllConnections();
    await new Promise((resolve) => this.shop.close(resolve));
  }

  private async beginSteadily(perSecond: number): Promise<void> {
    let due = 0;
    let last = performance.now();
    while (!this.isEnding && this.error === undefined) {
      await delay(TICK_MS);
      const now = performance.now();
      // Payments that are more than a second late are skipped. The reached rate shows this.
      due = Math.min(due + ((now - last) / 1_000) * perSecond, perSecond);
      last = now;
      while (due >= 1 && this.running.size < MOST_UNDER_WAY) {
        due -= 1;
        const payment: Promise<void> = this.pay()
          .catch((error: unknown) => void (this.error ??= new Error(messageOf(error), { cause: error })))
          .finally(() => this.running.delete(payment));
        this.running.add(payment);
      }
    }
  }

  private async pay(): Promise<void> {
    const amount = (10 + randomInt(500_000) / 100).toFixed(2);
    const intent = await this.insist('/v1/payments/intents', {
      amount,
      idempotencyKey: randomUUID(),
      paymentMethod: METHOD,
      ttlSeconds: 3_600,
    });
    await this.insist('/v1/sms-events/incoming', {
      sender: 'bKash',
      message: bkashSendMoneyText({ amount, reference: String(intent['customerReference']), trxId: this.newTrxId() }),
      receiverMsisdn: intent['receiverMsisdn'],
      receivedAt: new Date().toISOString(),
    });
    this.paid.push(String(intent['id']));
  }

  /** Unique, because two payments with one TrxID are one payment to the gateway. */
  private newTrxId(): string {
    let trxId = aRandomTrxId();
    while (this.trxIds.has(trxId)) trxId = aRandomTrxId();
    this.trxIds.add(trxId);
    return trxId;
  }

  private async insist(path: string, body: Json): Promise<Json> {
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      const sent = performance.now();
      try {
        const answer = await this.call('POST', path, body);
        this.counter.ended(`POST ${path}`, performance.now() - sent);
        return answer;
      } catch (error) {
        this.counter.ended(`POST ${path}`, performance.now() - sent, reasonOf(error));
        if (performance.now() > deadline) throw error;
        await delay(REPEAT_AFTER_MS);
      }
    }
  }

  private async call(method: 'GET' | 'POST' | 'DELETE', path: string, body?: Json): Promise<Json> {
    const isOfPhone = path.startsWith('/v1/sms-events');
    const {
      statusCode,
      headers,
      body: answer,
    } = await this.pool.request({
      method,
      path,
      headers: {
        ...(isOfPhone ? { 'x-device-key': this.merchant.deviceKey } : { 'x-api-key': this.merchant.apiKey }),
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await answer.text();
    if (statusCode >= 300) throw new Refused(statusCode, 'x-request-id' in headers ? 'a service' : 'the edge');
    return text === '' ? {} : (JSON.parse(text) as Json);
  }

  private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
      const raw = Buffer.concat(chunks);
      verifyWebhook(raw, request.headers, this.secret, { now: new Date() });
      const { data } = JSON.parse(raw.toString()) as { data: { payment_intent_id: string } };
      const deliveries = this.webhooks.get(data.payment_intent_id) ?? new Map<string, number>();
      const id = String(request.headers['x-webhook-id']);
      this.webhooks.set(data.payment_intent_id, deliveries.set(id, (deliveries.get(id) ?? 0) + 1));
      response.writeHead(200).end();
    } catch {
      response.writeHead(400).end();
    }
  }

  /** An interrupted run leaves its endpoint, which would receive every payment. */
  private async forgetEndpoints(): Promise<void> {
    const { data } = (await this.call('GET', '/v1/webhooks/endpoints?limit=100')) as { data: { id: string }[] };
    for (const { id } of data) await this.call('DELETE', `/v1/webhooks/endpoints/${id}`);
  }

  private async readFeed(events = new Map<string, number>()): Promise<void> {
    for (;;) {
      const after = this.cursor === undefined ? '' : `&after=${this.cursor}`;
      const { data, nextCursor } = (await this.call('GET', `/v1/events?limit=100&type=payment.paid${after}`)) as {
        data: { payload: { data: { payment_intent_id: string } } }[];
        nextCursor: string;
      };
      this.cursor = nextCursor;
      if (data.length === 0) return;
      for (const { payload } of data) {
        const id = payload.data.payment_intent_id;
        events.set(id, (events.get(id) ?? 0) + 1);
      }
    }
  }

  private async hasNoOpenDelivery(): Promise<boolean> {
    const totals = await Promise.all(
      ['PENDING', 'RETRYING'].map((status) =>
        this.call('GET', `/v1/webhooks/deliveries?limit=1&status=${status}&endpointId=${this.endpointId}`),
      ),
    );
    return totals.every(({ total }) => total === 0);
  }

  /** Payments that are missing at the deadline count as lost. */
  private async patiently(isDone: () => Promise<boolean>): Promise<void> {
    await eventually(isDone, 'everything is carried through', { timeoutMs: PATIENCE_MS }).catch(() => undefined);
  }
}

class Refused extends Error {
  /** Services give every response an id. A response without one comes from the proxy. */
  constructor(status: number, by: 'a service' | 'the edge') {
    super(`answered ${status} by ${by}`);
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof Refused) return error.message;
  const { code, message } = error as { code?: string; message?: string };
  return code ?? message ?? 'failed';
}
