import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '@pay/testing';
import { PublicApi, type Intent, type Reply } from '../merchant-client';
import type { MerchantAccess, RunningSystem } from '../system';
import { bkashSendMoney, newTrxId } from '../wallet-texts';
import { WebhookReceiver } from '../webhook-receiver';

export const ENDPOINT_SECRET = 'drill-endpoint-secret-of-32-bytes';
const WORKERS = 4;
/** Between the payments of a worker: the load of a busy hour, and time for processes to start beside it. */
const PAUSE_MS = 100;
const PATIENCE_MS = 120_000;

export interface Text {
  readonly sender: string;
  readonly message: string;
  readonly receiverMsisdn: string | null;
}

/**
 * One payment as its merchant and phone know it. Times are those of the answers, as this machine's clock shows them.
 */
export interface PlayedPayment {
  readonly fields: Readonly<Record<string, unknown>>;
  intent?: Intent;
  /** When intent-api had answered 201. */
  intentAcceptedAt?: number;
  text?: Text;
  /** When sms-ingest had answered 202. */
  textAcceptedAt?: number;
}

export interface LoadOptions {
  /**
   * Whether a request that is not answered as expected is sent again, as real clients do. Otherwise it is counted as
   * failed.
   */
  readonly repeats: boolean;
}

/** Payments, one after the other by a few workers, until the end. */
export class TimedLoad {
  readonly payments: PlayedPayment[] = [];
  /** Requests that were not answered as expected. */
  failedRequests = 0;
  requests = 0;
  /** The response to the last of them. */
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

  /** Payments whose text is accepted. */
  get accepted(): PlayedPayment[] {
    return this.payments.filter(({ textAcceptedAt }) => textAcceptedAt !== undefined);
  }

  /** Resolves when so many more payments have been accepted. */
  async played(payments: number): Promise<void> {
    const wanted = this.accepted.length + payments;
    await eventually(() => this.accepted.length >= wanted, `${payments} payments`, { timeoutMs: PATIENCE_MS });
  }

  /** Ends the load: what is not accepted by then stays so. */
  async end(): Promise<void> {
    this.isEnding = true;
    await Promise.all(this.workers);
  }

  async close(): Promise<void> {
    await this.end();
    await this.api.close();
    await this.receiver.close();
  }

  /** Plays one payment to its webhook; its time in milliseconds. */
  async playOne(): Promise<number> {
    const started = performance.now();
    const payment = this.newPayment();
    await this.play(payment);
    if (payment.intent === undefined) throw new Error(`no payment could be played: ${this.lastFailure}`);
    await this.receiver.next('payment.paid', payment.intent.id, PATIENCE_MS);
    return performance.now() - started;
  }

  /** Sends the text of a payment again, as a phone does that reads its inbox again. */
  async sendAgain({ text }: PlayedPayment): Promise<number> {
    return text === undefined ? 0 : (await this.api.forwardSms(this.access, text)).status;
  }

  async statusOf({ intent }: PlayedPayment): Promise<string> {
    const { status, body } = await this.api.getIntent(this.access, intent?.id ?? '');
    return status === 200 ? body.status : String(status);
  }

  /** How many webhooks with different ids were sent about each payment. */
  webhooksOf({ intent }: PlayedPayment): number {
    const received = this.receiver.of('payment.paid', intent?.id ?? '');
    return new Set(received.map(({ deliveryId }) => deliveryId)).size;
  }

  /** How many entries the event feed has about each PAID intent. */
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

  /** Undefined when the load ended, or the request failed and is not repeated. */
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
