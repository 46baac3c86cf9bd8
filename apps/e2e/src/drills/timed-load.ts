import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '@pay/testing';
import { PublicApi, type Intent, type Reply } from '../merchant-client';
import type { MerchantAccess, RunningSystem } from '../system';
import { bkashSendMoney, newTrxId } from '../wallet-texts';
import { WebhookReceiver } from '../webhook-receiver';

export const ENDPOINT_SECRET = 'drill-endpoint-secret-of-32-bytes';
const WORKERS = 4;
/** Pause of a worker between two payments: the load of a busy hour, with capacity for processes that start. */
const PAUSE_MS = 100;
const PATIENCE_MS = 120_000;

export interface Text {
  readonly sender: string;
  readonly message: string;
  readonly receiverMsisdn: string | null;
}

/** A payment as merchant and phone know it. Times are those of responses, by the clock of this machine. */
export interface PlayedPayment {
  readonly fields: Readonly<Record<string, unknown>>;
  intent?: Intent;
  /** When intent-api had responded with 201. */
  intentAcceptedAt?: number;
  text?: Text;
  /** When sms-ingest had responded with 202. */
  textAcceptedAt?: number;
}

export interface LoadOptions {
  /** True: a request with an unexpected response is repeated, as real clients do. False: it counts as failed. */
  readonly repeats: boolean;
}

/** A few workers play payments one after another until the end. */
export class TimedLoad {
  readonly payments: PlayedPayment[] = [];
  /** Requests with an unexpected response. */
  failedRequests = 0;
  requests = 0;
  /** The last unexpected response. */
  lastFailure = '';
  private readonly workers: Promise<void>[];
  private isEnding = false;

  private constructor(
    readonly api: PublicApi,
    readonly access: MerchantAccess,
    readonly receiver: WebhookReceiver,
    readonly endpointId: string,
    private readonly options: LoadOptions,
  ) {
    this.workers = Array.from({ length: WORKERS }, () => this.worker());
  }

  static async begin(system: RunningSystem, options: LoadOptions): Promise<TimedLoad> {
    const api = new PublicApi(system.baseUrl);
    const access = system.merchants[0]?.sandbox as MerchantAccess;
    const receiver = await WebhookReceiver.listen(ENDPOINT_SECRET);
    const { status, body } = await api.registerEndpoint(access, receiver.url, ENDPOINT_SECRET);
    if (status !== 201) throw new Error(`registering the endpoint returned ${status}`);
    return new TimedLoad(api, access, receiver, body.id, options);
  }

  /** Payments whose text was accepted. */
  get accepted(): PlayedPayment[] {
    return this.payments.filter(({ textAcceptedAt }) => textAcceptedAt !== undefined);
  }

  /** Resolves after this number of further accepted payments. */
  async played(payments: number): Promise<void> {
    const wanted = this.accepted.length + payments;
    await eventually(() => this.accepted.length >= wanted, `${payments} payments`, { timeoutMs: PATIENCE_MS });
  }

  /** Payments that are not accepted by then are abandoned. */
  async end(): Promise<void> {
    this.isEnding = true;
    await Promise.all(this.workers);
  }

  async close(): Promise<void> {
    await this.end();
    await this.api.close();
    await this.receiver.close();
  }

  /** Plays a payment up to its webhook. Returns milliseconds. */
  async playOne(): Promise<number> {
    const started = performance.now();
    const payment = this.newPayment();
    await this.play(payment);
    if (payment.intent === undefined) throw new Error(`no payment could be played: ${this.lastFailure}`);
    await this.receiver.next('payment.paid', payment.intent.id, PATIENCE_MS);
    return performance.now() - started;
  }

  /** Sends the text of a payment again, like a phone that rereads its inbox. */
  async sendAgain({ text }: PlayedPayment): Promise<number> {
    return text === undefined ? 0 : (await this.api.forwardSms(this.access, text)).status;
  }

  async statusOf({ intent }: PlayedPayment): Promise<string> {
    const { status, body } = await this.api.getIntent(this.access, intent?.id ?? '');
    return status === 200 ? body.status : String(status);
  }

  /** Number of webhooks with different ids about the payment. */
  webhooksOf({ intent }: PlayedPayment): number {
    const received = this.receiver.of('payment.paid', intent?.id ?? '');
    return new Set(received.map(({ deliveryId }) => deliveryId)).size;
  }

  /** Number of entries in the event feed per PAID intent. */
  async feed(): Promise<Map<string, number>> {
    interface Page {
      readonly data: readonly {
        readonly type: string;
        readonly payload: { readonly data: { payment_intent_id: string } };
      }[];
      readonly nextCursor: string | null;
    }
    const entries = new Map<string, number>();
    for (let after = ''; ;) {
      const query = after === '' ? '' : `&after=${encodeURIComponent(after)}`;
      const headers = { 'x-api-key': this.access.apiKey };
      const { body } = await this.api.call<Page>('GET', `/v1/events?limit=100${query}`, headers);
      for (const { type, payload } of body.data) {
        if (type !== 'payment.paid') continue;
        const id = payload.data.payment_intent_id;
        entries.set(id, (entries.get(id) ?? 0) + 1);
      }
      if (body.data.length === 0 || body.nextCursor === null || body.nextCursor === after) return entries;
      after = body.nextCursor;
    }
  }

  private async worker(): Promise<void> {
    while (!this.isEnding) {
      await this.play(this.newPayment());
      await delay(PAUSE_MS);
    }
  }

  private newPayment(): PlayedPayment {
    const amount = (10 + Math.random() * 5_000).toFixed(2);
    const fields = { amount, idempotencyKey: randomUUID(), paymentMethod: 'BKASH_SEND_MONEY', ttlSeconds: 3_600 };
    const payment = { fields };
    this.payments.push(payment);
    return payment;
  }

  private async play(payment: PlayedPayment): Promise<void> {
    const intent = await this.ask(201, () => this.api.createIntent(this.access, payment.fields));
    if (intent === undefined) return;
    payment.intent = intent;
    payment.intentAcceptedAt = Date.now();
    const trxId = newTrxId(new Date());
    const { amount } = payment.fields as { amount: string };
    const message = bkashSendMoney({ amount, reference: intent.customerReference, trxId });
    const text = { sender: 'bKash', message, receiverMsisdn: intent.receiverMsisdn };
    payment.text = text;
    if ((await this.ask(202, () => this.api.forwardSms(this.access, text))) === undefined) return;
    payment.textAcceptedAt = Date.now();
  }

  /** Undefined if the load has ended, or the request failed and is not repeated. */
  private async ask<Body>(expected: number, call: () => Promise<Reply<Body>>): Promise<Body | undefined> {
    do {
      this.requests += 1;
      const reply = await call().catch((error: unknown) => ({ status: String(error), body: undefined }));
      if (reply.status === expected) return reply.body;
      this.failedRequests += 1;
      this.lastFailure = `${reply.status} ${JSON.stringify(reply.body)}`;
      await delay(PAUSE_MS);
    } while (this.options.repeats && !this.isEnding);
    return undefined;
  }
}
