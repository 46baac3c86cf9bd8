import { randomInt, randomUUID } from 'node:crypto';
import {
  formatAmount,
  METHODS_WITH_REFERENCE,
  type InternalIntent,
  type InternalEndpoints,
  type InternalShopAnswer,
  type IntentStatus,
  type PaymentMethod,
  type SimulationResponse,
  type SmsMatch,
  type TestEvidence,
  type TestExpectation,
  type TestRun,
  type TestWebhook,
  type WebhookEvent,
  BusinessError,
} from '@pay/contracts';
import { ServiceCallFailed } from '@pay/http';
import { pollUntil } from '@pay/runtime';
import { findSandboxIntent, simulateSms } from '../simulate-sms';
import type { PlayerDeps, RunInput } from './player-deps';
import { textOf, type PublicAnswer } from './public-api';
import type { TestEndpointRule } from '../test-endpoints/test-endpoint-repository';

export type PlayedIntent = Pick<
  InternalIntent['intent'],
  'id' | 'amount' | 'customerReference' | 'merchantReference'
> & { readonly paymentMethod: PaymentMethod; readonly receiverMsisdn: string };

export type StoreProgress = (progress: Pick<TestRun, 'steps' | 'expectations' | 'evidence'>) => Promise<void>;

export interface SimulatedFields {
  readonly amount?: string;
  readonly reference?: string | null;
  readonly trxId?: string;
  readonly receiver?: { readonly paymentMethod: PaymentMethod; readonly msisdn: string };
  readonly receivedAt?: Date;
}

export class CaseSkipped extends Error {
  override readonly name = 'CaseSkipped';
}

/** Most effects are immediate, but many runs poll concurrently, so the pause grows. */
const POLL = { everyMs: 100, longestMs: 1_000 };
const TTL_SECONDS = 3_600;

/**
 * Sends requests as merchant, customer and phone, and collects evidence. Every change is stored before the next step.
 */
export class CaseSteps {
  private readonly steps: TestRun['steps'] = [];
  private readonly expectations: TestExpectation[] = [];
  private readonly intents: PlayedIntent[] = [];
  private readonly payers = new Map<string, string>();
  private endpointsBefore: InternalEndpoints['endpoints'] | undefined;
  protected readonly evidence: TestEvidence = {
    paymentIntentIds: [],
    smsEventIds: [],
    matchIds: [],
    webhooks: [],
    shopRequests: [],
  };

  constructor(
    protected readonly deps: PlayerDeps,
    readonly run: RunInput,
    private readonly store: StoreProgress,
  ) {}

  progress(): Pick<TestRun, 'steps' | 'expectations' | 'evidence'> {
    return { steps: this.steps, expectations: this.expectations, evidence: this.evidence };
  }

  async step(text: string): Promise<void> {
    this.steps.push({ at: this.deps.now().toISOString(), text });
    await this.store(this.progress());
  }

  async expect(text: string, isMet: boolean, found: string): Promise<void> {
    this.expectations.push({ text, result: isMet ? 'PASSED' : 'FAILED', detail: isMet ? null : found });
    await this.store(this.progress());
  }

  async skip(text: string, why: string): Promise<void> {
    this.expectations.push({ text, result: 'SKIPPED', detail: why });
    await this.store(this.progress());
  }

  receiver(methods: readonly PaymentMethod[], except: readonly PaymentMethod[] = []) {
    const { receivers, enabledMethods } = this.run.configuration;
    const found = receivers.find(
      ({ paymentMethod }) =>
        methods.includes(paymentMethod) && enabledMethods.includes(paymentMethod) && !except.includes(paymentMethod),
    );
    if (found !== undefined) return found;
    const names = methods.filter((method) => !except.includes(method)).join(', ');
    throw new CaseSkipped(`An active SANDBOX receiver account of an enabled method is required: ${names}.`);
  }

  async createIntent(
    methods: readonly PaymentMethod[] = METHODS_WITH_REFERENCE,
    fields: Readonly<Record<string, unknown>> = {},
  ): Promise<PlayedIntent> {
    const { paymentMethod } = this.receiver(methods);
    this.endpointsBefore ??= await this.activeEndpoints();
    // Unique, so that payments of concurrent runs differ.
    const amount = formatAmount(BigInt(randomInt(2_000, 9_999_999)));
    const body = {
      amount,
      paymentMethod,
      ttlSeconds: TTL_SECONDS,
      idempotencyKey: `test-run:${this.run.id}:${randomUUID()}`,
      merchantReference: `TEST-${this.run.testCase}-${randomUUID().slice(0, 8)}`,
      ...(this.run.successUrl !== null && { successUrl: this.run.successUrl }),
      ...fields,
    };
    const apiKey = await this.deps.apiKeyOf(this.run.merchantId);
    const answer = await this.deps.intents('POST', '/v1/payments/intents', { apiKey, body });
    if (answer.status !== 201) throw new Error(`Creating an intent returned ${answer.status} ${codeOf(answer)}.`);
    const intent = answer.body as unknown as PlayedIntent;
    this.intents.push(intent);
    this.evidence.paymentIntentIds.push(intent.id);
    await this.step(`Create an intent of Tk ${intent.amount} for ${paymentMethod}.`);
    return intent;
  }

  private payerOf({ id }: Pick<PlayedIntent, 'id'>): string {
    const payer = this.payers.get(id) ?? `017${randomInt(10_000_000, 99_999_999)}`;
    this.payers.set(id, payer);
    return payer;
  }

  async newTrxId({ paymentMethod }: Pick<PlayedIntent, 'paymentMethod'>): Promise<string> {
    return this.deps.newTrxId(this.run.merchantId, paymentMethod);
  }

  async pay(intent: PlayedIntent, fields: SimulatedFields = {}): Promise<SimulationResponse> {
    const { amount = intent.amount, reference = intent.customerReference, trxId, receiver, receivedAt } = fields;
    const simulation = await simulateSms(this.deps, this.run.merchantId, {
      composed: {
        paymentMethod: receiver?.paymentMethod ?? intent.paymentMethod,
        receiverMsisdn: receiver?.msisdn ?? intent.receiverMsisdn,
        senderMsisdn: this.payerOf(intent),
        amount,
        customerReference: reference,
        trxId,
        receivedAt: receivedAt?.toISOString(),
      },
    });
    await this.noteSimulation(simulation, `Simulate the SMS of a payment of Tk ${amount}.`);
    return simulation;
  }

  async sendText(text: { sender: string; message: string; receiverMsisdn: string }): Promise<SimulationResponse> {
    const simulation = await simulateSms(this.deps, this.run.merchantId, { raw: text });
    await this.noteSimulation(simulation, `Simulate an SMS from the sender ${text.sender}.`);
    return simulation;
  }

  private async noteSimulation({ smsEvent, match }: SimulationResponse, text: string): Promise<void> {
    if (!this.evidence.smsEventIds.includes(smsEvent.id)) this.evidence.smsEventIds.push(smsEvent.id);
    if (match !== null && !this.evidence.matchIds.includes(match.id)) this.evidence.matchIds.push(match.id);
    await this.step(text);
  }

  /** Sends the last digits of the payer number, because a merchant may require them. */
  async confirm(intent: PlayedIntent, trxId: string): Promise<PublicAnswer> {
    await this.step('Submit the TrxID at checkout.');
    const payerDigits = this.payerOf(intent).slice(-3);
    return this.deps.checkout('POST', `/v1/checkout/${intent.id}/confirm`, { body: { trxId, payerDigits } });
  }

  async cancel(intent: PlayedIntent): Promise<PublicAnswer> {
    await this.step('Cancel the checkout.');
    return this.deps.checkout('POST', `/v1/checkout/${intent.id}/cancel`, { body: {} });
  }

  /** Other intents of the merchant keep their time. */
  async expire(intent: PlayedIntent): Promise<void> {
    await this.step('Advance the test clock for the intent until it has expired.');
    await this.deps.endTimeOf(this.run.merchantId, intent.id);
  }

  async review(match: SmsMatch, action: 'resolve' | 'reject', intent: PlayedIntent): Promise<void> {
    await this.step(action === 'resolve' ? 'Approve the payment as reviewer.' : 'Reject the payment as reviewer.');
    await this.deps.review(this.run, match, action, intent.amount);
  }

  protected async statusOf({ id }: PlayedIntent): Promise<IntentStatus> {
    return (await findSandboxIntent(this.deps.intentApi, this.run.merchantId, id)).intent.status;
  }

  async webhooksOf(intent: PlayedIntent): Promise<readonly TestWebhook[]> {
    const found = await this.deps.webhooksOf(this.run.merchantId, intent.id);
    this.evidence.webhooks = [
      ...this.evidence.webhooks.filter(({ paymentIntentId }) => paymentIntentId !== intent.id),
      ...found,
    ];
    return found;
  }

  async testEndpoint() {
    await this.step('Use the hosted test endpoint.');
    return this.deps.testEndpointOf(this.run.merchantId);
  }

  async answerNext(intent: PlayedIntent, rule: TestEndpointRule): Promise<void> {
    await this.deps.answerNext(this.run.merchantId, intent.id, rule);
  }

  async storedRequests(intent: PlayedIntent) {
    return (await this.deps.storedRequestsOf(this.run.merchantId, intent.id)).filter(
      ({ eventType }) => eventType === 'payment.paid',
    );
  }

  /** Returns the delivery of payment.paid when it is delivered, or its current state after the timeout. */
  async deliveredTo(endpointId: string, intent: PlayedIntent, withinMs: number): Promise<TestWebhook | undefined> {
    await this.step('Wait until the webhook is delivered.');
    return this.until(
      async () =>
        (await this.webhooksOf(intent)).find(
          (one) => one.endpointId === endpointId && one.eventType === 'payment.paid',
        ),
      (one) => one?.status === 'DELIVERED' || one?.status === 'FAILED',
      withinMs,
    );
  }

  async collectWebhooks(): Promise<void> {
    for (const intent of this.intents) await this.webhooksOf(intent);
  }

  shops() {
    return this.subscribedTo('payment.paid');
  }

  /** Excludes endpoints that were registered later, because they may have missed events of this run. */
  protected async subscribedTo(event: WebhookEvent) {
    const endpoints = this.endpointsBefore ?? (await this.activeEndpoints());
    return endpoints.filter(({ eventTypes }) => eventTypes.includes(event));
  }

  /** Excludes endpoints that were disabled or changed since. */
  protected async stillSubscribedTo(event: WebhookEvent) {
    const before = new Set((await this.subscribedTo(event)).map(({ id }) => id));
    return (await this.activeEndpoints()).filter(({ id, eventTypes }) => before.has(id) && eventTypes.includes(event));
  }

  private async activeEndpoints() {
    return (await this.deps.endpointsOf(this.run.merchantId)).filter(({ isActive }) => isActive);
  }

  async sendToShop(
    kind: 'order_status' | 'forged_signature' | 'other_environment',
    endpointId: string,
    { id, amount, customerReference, merchantReference }: PlayedIntent,
  ): Promise<InternalShopAnswer> {
    const paymentIntent = { id, amount, customerReference, merchantReference };
    const answer = await this.deps.sendToShop(this.run.merchantId, { kind, endpointId, paymentIntent });
    this.evidence.shopRequests.push({ kind, endpointId, paymentIntentId: id, ...answer });
    return answer;
  }

  async followRedirect(intent: PlayedIntent, successUrl: string): Promise<InternalShopAnswer> {
    const url = new URL(successUrl);
    url.searchParams.set('payment_intent_id', intent.id);
    url.searchParams.set('status', 'PAID');
    url.searchParams.set('customer_reference', intent.customerReference);
    url.searchParams.set('merchant_reference', intent.merchantReference ?? '');
    await this.step('Open the success page of the shop although nothing was paid.');
    const answer = await this.deps.sendToShop(this.run.merchantId, { kind: 'redirect', url: url.href });
    this.evidence.shopRequests.push({ kind: 'redirect', endpointId: null, paymentIntentId: intent.id, ...answer });
    return answer;
  }

  protected async orderStatus(endpointId: string, intent: PlayedIntent) {
    const { httpStatus, response } = await this.sendToShop('order_status', endpointId, intent);
    if (httpStatus !== 200 || response === null) return undefined;
    try {
      const { stored, fulfilled } = JSON.parse(response) as { stored?: unknown; fulfilled?: unknown };
      return typeof fulfilled === 'boolean' ? { stored: stored === true || fulfilled, fulfilled } : undefined;
    } catch {
      return undefined;
    }
  }

  /** Returns the last result after the timeout. */
  protected async until<T>(ask: () => Promise<T>, isRight: (answer: T) => boolean, withinMs: number): Promise<T> {
    const last = await pollUntil(
      () =>
        ask().then(
          (answer) => ({ answer }),
          (error: unknown) => {
            // A service that is temporarily unavailable is called again.
            if (!isUnavailable(error)) throw error;
            return { error };
          },
        ),
      (given) => 'answer' in given && isRight(given.answer),
      { ...POLL, withinMs },
    );
    if ('error' in last) throw last.error;
    return last.answer;
  }
}

function isUnavailable(error: unknown): boolean {
  return error instanceof BusinessError
    ? error.code === 'SERVICE_UNAVAILABLE'
    : error instanceof ServiceCallFailed && error.kind === 'unavailable';
}

function codeOf({ body }: PublicAnswer): string {
  return textOf(body, 'code', 'message');
}
