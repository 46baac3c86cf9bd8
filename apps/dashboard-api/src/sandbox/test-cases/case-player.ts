import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  CHECK_NAMES,
  formatAmount,
  METHODS_WITH_REFERENCE,
  type CheckResult,
  type CheckName,
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
} from '@pay/contracts';
import { ApiError, ServiceCallFailed } from '@pay/http';
import { effectsOf, findSandboxIntent, simulateSms } from '../simulate-sms';
import type { PlayerDeps, RunInput } from './player-deps';
import { textOf, type PublicAnswer } from './public-api';
import type { TestEndpointRule } from '../test-endpoints/test-endpoint-repository';
import { CaseSkipped } from './test-case';

export type PlayedIntent = Pick<
  InternalIntent['intent'],
  'id' | 'amount' | 'customerReference' | 'merchantReference'
> & { readonly paymentMethod: PaymentMethod; readonly receiverMsisdn: string };

export interface SimulatedFields {
  readonly amount?: string;
  readonly reference?: string | null;
  readonly trxId?: string;
  readonly receiver?: { readonly paymentMethod: PaymentMethod; readonly msisdn: string };
  readonly receivedAt?: Date;
}

/** How long an effect of a step may take. Webhooks have longer: an endpoint may need its retries. */
const EFFECT_MS = 15_000;
const DELIVERY_MS = 30_000;
const FULFILMENT_MS = 15_000;
/** The first and the longest pause between two questions: most effects are there at once, and many runs ask at the same time. */
const FIRST_POLL_MS = 100;
const LONGEST_POLL_MS = 1_000;
const TTL_SECONDS = 3_600;

/**
 * Plays the steps of one run: sends requests as merchant, customer and phone, checks what follows, and collects the evidence. Every change
 * is stored before the next step.
 */
export class CasePlayer {
  private readonly steps: TestRun['steps'] = [];
  private readonly expectations: TestExpectation[] = [];
  private readonly intents: PlayedIntent[] = [];
  private shopsBefore: InternalEndpoints['endpoints'] | undefined;
  private readonly evidence: TestEvidence = {
    ...{ paymentIntentIds: [], smsEventIds: [], matchIds: [], webhooks: [], shopRequests: [] },
  };

  constructor(
    private readonly deps: PlayerDeps,
    readonly run: RunInput,
    private readonly store: (progress: Pick<TestRun, 'steps' | 'expectations' | 'evidence'>) => Promise<void>,
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

  /** The first active wallet of one of the methods, other than those of `except`. */
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
    this.shopsBefore ??= await this.findShops();
    // An amount of its own, so that payments of runs at the same time differ.
    const amount = formatAmount(BigInt(randomInt(2_000, 9_999_999)));
    const body = {
      ...{ amount, paymentMethod, ttlSeconds: TTL_SECONDS, idempotencyKey: `test-run:${this.run.id}:${randomUUID()}` },
      merchantReference: `TEST-${this.run.testCase}-${randomUUID().slice(0, 8)}`,
      ...(this.run.successUrl !== null && { successUrl: this.run.successUrl }),
      ...fields,
    };
    const apiKey = await this.deps.apiKeyOf(this.run.merchantId);
    const answer = await this.deps.intents('POST', '/v1/payments/intents', { apiKey, body });
    if (answer.status !== 201) throw new Error(`Creating an intent was answered ${answer.status} ${codeOf(answer)}.`);
    const intent = answer.body as unknown as PlayedIntent;
    this.intents.push(intent);
    this.evidence.paymentIntentIds.push(intent.id);
    await this.step(`Create an intent of Tk ${intent.amount} for ${paymentMethod}.`);
    return intent;
  }

  async newTrxId({ paymentMethod }: Pick<PlayedIntent, 'paymentMethod'>): Promise<string> {
    return this.deps.newTrxId(this.run.merchantId, paymentMethod);
  }

  /** The payment of a customer, as the wallet of the intent reports it. */
  async pay(intent: PlayedIntent, fields: SimulatedFields = {}): Promise<SimulationResponse> {
    const { amount = intent.amount, reference = intent.customerReference, trxId, receiver, receivedAt } = fields;
    const simulation = await simulateSms(this.deps, this.run.merchantId, {
      composed: {
        paymentMethod: receiver?.paymentMethod ?? intent.paymentMethod,
        receiverMsisdn: receiver?.msisdn ?? intent.receiverMsisdn,
        senderMsisdn: `017${randomInt(10_000_000, 99_999_999)}`,
        ...{ amount, customerReference: reference, trxId, receivedAt: receivedAt?.toISOString() },
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

  async confirm(intent: PlayedIntent, trxId: string): Promise<PublicAnswer> {
    await this.step('Submit the TrxID at checkout.');
    return this.deps.checkout('POST', `/v1/checkout/${intent.id}/confirm`, { body: { trxId } });
  }

  async cancel(intent: PlayedIntent): Promise<PublicAnswer> {
    await this.step('Cancel the checkout.');
    return this.deps.checkout('POST', `/v1/checkout/${intent.id}/cancel`, { body: {} });
  }

  /** Ends the time of an intent of this run. Other intents of the merchant keep theirs. */
  async expire(intent: PlayedIntent): Promise<void> {
    await this.step('Advance the test clock for the intent until it has expired.');
    await this.deps.endTimeOf(this.run.merchantId, intent.id);
  }

  async review(match: SmsMatch, action: 'resolve' | 'reject', intent: PlayedIntent): Promise<void> {
    await this.step(action === 'resolve' ? 'Approve the payment as reviewer.' : 'Reject the payment as reviewer.');
    await this.deps.review(this.run, match, action, intent.amount);
  }

  async expectMatch(
    { smsEvent }: SimulationResponse,
    expected: { readonly statuses: readonly string[]; readonly failed?: CheckName; readonly reason?: string },
  ): Promise<SmsMatch | null> {
    const { statuses, failed, reason } = expected;
    const isMet = (match: SmsMatch | null) =>
      match !== null &&
      statuses.includes(match.status) &&
      (reason === undefined || match.reason === reason) &&
      (failed === undefined || checkOf(match, failed) === 'fail');
    const match = await this.until(
      async () => (await effectsOf(this.deps, this.run.merchantId, smsEvent.id)).match,
      isMet,
      EFFECT_MS,
    );
    if (match !== null && !this.evidence.matchIds.includes(match.id)) this.evidence.matchIds.push(match.id);
    const text = [
      `The match is ${statuses.join(' or ')}`,
      ...(reason === undefined ? [] : [`with reason ${reason}`]),
      ...(failed === undefined ? [] : [`and its check ${failed} fails`]),
    ].join(' ');
    await this.expect(`${text}.`, isMet(match), `Found ${describeMatch(match)}.`);
    return match;
  }

  async expectAllChecks({ smsEvent }: SimulationResponse): Promise<void> {
    const { match } = await effectsOf(this.deps, this.run.merchantId, smsEvent.id);
    const failed = CHECK_NAMES.filter((name) => checkOf(match, name) === 'fail');
    const isMet = match?.checks !== null && match?.checks !== undefined && failed.length === 0;
    await this.expect('No check fails.', isMet, `Failed: ${failed.join(', ') || 'no checks were made'}.`);
  }

  async expectStatus(intent: PlayedIntent, status: IntentStatus): Promise<void> {
    const found = await this.until(
      () => this.statusOf(intent),
      (one) => one === status,
      EFFECT_MS,
    );
    await this.expect(`The intent is ${status}.`, found === status, `It is ${found}.`);
  }

  /** What the API tells the merchant's server. */
  async expectApiStatus(intent: PlayedIntent, status: IntentStatus): Promise<void> {
    const apiKey = await this.deps.apiKeyOf(this.run.merchantId);
    const answer = await this.deps.intents('GET', `/v1/payments/intents/${intent.id}`, { apiKey });
    const found = String(answer.body['status']);
    await this.expect(`GET /v1/payments/intents/:id returns ${status}.`, found === status, `It returned ${found}.`);
  }

  private async statusOf({ id }: PlayedIntent): Promise<IntentStatus> {
    return (await findSandboxIntent(this.deps.intentApi, this.run.merchantId, id)).intent.status;
  }

  /** Every subscribed endpoint answers the event with 2xx, at the latest after its retries. */
  async expectWebhook(intent: PlayedIntent, event: WebhookEvent): Promise<readonly TestWebhook[]> {
    const endpoints = (await this.deps.endpointsOf(this.run.merchantId)).filter(
      ({ isActive, eventTypes }) => isActive && eventTypes.includes(event),
    );
    const text = `${event} is delivered`;
    if (endpoints.length === 0) {
      await this.skip(`${text}.`, `No active SANDBOX endpoint is subscribed to ${event}.`);
      return [];
    }
    const all = await this.until(
      () => this.webhooksOf(intent),
      (found) =>
        endpoints.every(({ id }) =>
          found.some((one) => one.endpointId === id && one.eventType === event && one.status === 'DELIVERED'),
        ),
      DELIVERY_MS,
    );
    const found = all.filter(({ eventType }) => eventType === event);
    for (const { id } of endpoints) {
      const delivery = found.find(({ endpointId }) => endpointId === id);
      const last = delivery?.attempts.at(-1);
      const answered =
        last === undefined
          ? 'no attempt was made'
          : `the last attempt ended as ${last.outcome} ${last.httpStatus ?? ''}`;
      await this.expect(
        `${text} to endpoint ${id}.`,
        delivery?.status === 'DELIVERED',
        `It is ${delivery?.status ?? 'missing'}; ${answered.trim()}.`,
      );
    }
    return found;
  }

  async expectNoWebhook(intent: PlayedIntent, event: WebhookEvent): Promise<void> {
    const found = (await this.webhooksOf(intent)).filter(({ eventType }) => eventType === event);
    await this.expect(`${event} is not sent.`, found.length === 0, `It was sent ${found.length} times.`);
  }

  async webhooksOf(intent: PlayedIntent): Promise<readonly TestWebhook[]> {
    const found = await this.deps.webhooksOf(this.run.merchantId, intent.id);
    this.evidence.webhooks = [
      ...this.evidence.webhooks.filter(({ paymentIntentId }) => paymentIntentId !== intent.id),
      ...found,
    ];
    return found;
  }

  /** The hosted test endpoint of the merchant. */
  async testEndpoint() {
    await this.step('Use the hosted test endpoint.');
    return this.deps.testEndpointOf(this.run.merchantId);
  }

  /** How the hosted test endpoint answers the next webhooks about an intent. */
  async answerNext(intent: PlayedIntent, rule: TestEndpointRule): Promise<void> {
    await this.deps.answerNext(this.run.merchantId, intent.id, rule);
  }

  /** What the hosted test endpoint has received about an intent. */
  async storedRequests(intent: PlayedIntent) {
    return (await this.deps.storedRequestsOf(this.run.merchantId, intent.id)).filter(
      ({ eventType }) => eventType === 'payment.paid',
    );
  }

  /** The delivery of payment.paid to an endpoint when it is delivered, or as it is when the time is over. */
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

  /** The deliveries of all intents of the run as they are now. */
  async collectWebhooks(): Promise<void> {
    for (const intent of this.intents) await this.webhooksOf(intent);
  }

  /** Immediately after the webhook was answered 2xx: what is not stored then is lost in a crash of the shop. */
  async expectStored(intent: PlayedIntent): Promise<void> {
    for (const { id } of await this.shops()) {
      const order = await this.orderStatus(id, intent);
      const text = `The shop (endpoint ${id}) has stored the event when it answers 2xx.`;
      if (order === undefined) await this.skip(text, NO_ORDER_STATUS);
      else await this.expect(text, order.stored, 'The order status says that the event is not stored.');
    }
  }

  async expectFulfilment(intent: PlayedIntent, isExpected: boolean): Promise<void> {
    for (const { id } of await this.shops()) {
      const text = `The shop (endpoint ${id}) has ${isExpected ? '' : 'not '}fulfilled the order.`;
      const order = isExpected
        ? await this.until(
            () => this.orderStatus(id, intent),
            (one) => one === undefined || one.fulfilled,
            FULFILMENT_MS,
          )
        : await this.orderStatus(id, intent);
      if (order === undefined) await this.skip(text, NO_ORDER_STATUS);
      else
        await this.expect(text, order.fulfilled === isExpected, `It has ${order.fulfilled ? '' : 'not '}fulfilled it.`);
    }
  }

  /** Endpoints that receive payments. One that another run registers meanwhile may have missed the payment of this run. */
  async shops() {
    return this.shopsBefore ?? this.findShops();
  }

  private async findShops() {
    const endpoints = await this.deps.endpointsOf(this.run.merchantId);
    return endpoints.filter(({ isActive, eventTypes }) => isActive && eventTypes.includes('payment.paid'));
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

  private async orderStatus(endpointId: string, intent: PlayedIntent) {
    const { httpStatus, response } = await this.sendToShop('order_status', endpointId, intent);
    if (httpStatus !== 200 || response === null) return undefined;
    try {
      const { stored, fulfilled } = JSON.parse(response) as { stored?: unknown; fulfilled?: unknown };
      return typeof fulfilled === 'boolean' ? { stored: stored === true || fulfilled, fulfilled } : undefined;
    } catch {
      return undefined;
    }
  }

  /** Asks until the answer is right or the time is over; the last answer counts. */
  private async until<T>(ask: () => Promise<T>, isRight: (answer: T) => boolean, withinMs: number): Promise<T> {
    const deadline = performance.now() + withinMs;
    for (let pause = FIRST_POLL_MS; ; pause = Math.min(pause * 1.5, LONGEST_POLL_MS)) {
      const isLast = performance.now() >= deadline;
      const answer = await ask().then(
        (value) => ({ value }),
        (error: unknown) => {
          // A service that is slow for a moment is asked again.
          if (isLast || !isUnavailable(error)) throw error;
          return undefined;
        },
      );
      if (answer !== undefined && (isLast || isRight(answer.value))) return answer.value;
      await delay(pause);
    }
  }
}

function isUnavailable(error: unknown): boolean {
  return error instanceof ApiError
    ? error.status === 503
    : error instanceof ServiceCallFailed && error.kind === 'unavailable';
}

const NO_ORDER_STATUS = 'The endpoint does not answer webhook.order_status; see docs/sandbox.md.';

function checkOf(match: SmsMatch | null, name: CheckName): CheckResult | undefined {
  return match?.checks?.[name];
}

function describeMatch(match: SmsMatch | null): string {
  if (match === null) return 'no decision';
  const failed = CHECK_NAMES.filter((name) => checkOf(match, name) === 'fail');
  return `${match.status} ${match.reason}${failed.length === 0 ? '' : `, failed: ${failed.join(', ')}`}`;
}

function codeOf({ body }: PublicAnswer): string {
  return textOf(body, 'code', 'message');
}
