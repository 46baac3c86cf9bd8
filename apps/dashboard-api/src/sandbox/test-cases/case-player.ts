import {
  CHECK_NAMES,
  type CheckName,
  type CheckResult,
  type IntentStatus,
  type SimulationResponse,
  type SmsMatch,
  type TestWebhook,
  type WebhookEvent,
} from '@pay/contracts';
import { CaseSteps, type PlayedIntent, type StoreProgress } from './case-steps';
import type { PlayerDeps, RunInput } from './player-deps';
import { effectsOf } from '../simulate-sms';

export interface Patience {
  readonly effectMs: number;
  /** Long, because an endpoint that failed in another run receives nothing for a while. */
  readonly firstAttemptMs: number;
  /** Long, because an endpoint may need retries. */
  readonly deliveryMs: number;
  readonly fulfilmentMs: number;
}

const PATIENCE: Patience = {
  effectMs: 30_000,
  firstAttemptMs: 120_000,
  deliveryMs: 30_000,
  fulfilmentMs: 15_000,
};

export class CasePlayer extends CaseSteps {
  constructor(
    deps: PlayerDeps,
    run: RunInput,
    store: StoreProgress,
    private readonly patience: Patience = PATIENCE,
  ) {
    super(deps, run, store);
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
      this.patience.effectMs,
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
      this.patience.effectMs,
    );
    await this.expect(`The intent is ${status}.`, found === status, `It is ${found}.`);
  }

  async expectApiStatus(intent: PlayedIntent, status: IntentStatus): Promise<void> {
    const apiKey = await this.deps.apiKeyOf(this.run.merchantId);
    const answer = await this.deps.intents('GET', `/v1/payments/intents/${intent.id}`, { apiKey });
    const found = String(answer.body['status']);
    await this.expect(`GET /v1/payments/intents/:id returns ${status}.`, found === status, `It returned ${found}.`);
  }

  /** Waits until every subscribed endpoint has responded with 2xx, retries included. */
  async expectWebhook(intent: PlayedIntent, event: WebhookEvent): Promise<readonly TestWebhook[]> {
    const endpoints = await this.stillSubscribedTo(event);
    const text = `${event} is delivered`;
    if (endpoints.length === 0) {
      await this.skip(`${text}.`, `No active SANDBOX endpoint is subscribed to ${event}.`);
      return [];
    }
    const all = await this.webhooksTo(endpoints, intent, event);
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

  /** Returns the webhooks when all endpoints have received the event, or their current state after the timeout. */
  private async webhooksTo(
    endpoints: readonly { readonly id: string }[],
    intent: PlayedIntent,
    event: WebhookEvent,
  ): Promise<readonly TestWebhook[]> {
    const { firstAttemptMs, deliveryMs } = this.patience;
    const ofAll = (isMet: (webhook: TestWebhook) => boolean) => (found: readonly TestWebhook[]) =>
      endpoints.every(({ id }) => found.some((one) => one.endpointId === id && one.eventType === event && isMet(one)));
    const ask = () => this.webhooksOf(intent);
    await this.until(
      ask,
      ofAll(({ attempts }) => attempts.length > 0),
      firstAttemptMs,
    );
    return this.until(
      ask,
      ofAll(({ status }) => status === 'DELIVERED'),
      deliveryMs,
    );
  }

  private async expectNoWebhook(intent: PlayedIntent, event: WebhookEvent): Promise<void> {
    const found = (await this.webhooksOf(intent)).filter(({ eventType }) => eventType === event);
    await this.expect(`${event} is not sent.`, found.length === 0, `It was sent ${found.length} times.`);
  }

  async expectPaid(intent: PlayedIntent): Promise<void> {
    await this.expectStatus(intent, 'PAID');
    await this.expectWebhook(intent, 'payment.paid');
    await this.expectFulfilment(intent, true);
  }

  async expectUnpaid(intent: PlayedIntent): Promise<void> {
    await this.expectNoWebhook(intent, 'payment.paid');
    await this.expectFulfilment(intent, false);
  }

  /** Checked immediately after the 2xx: a shop loses events in a crash if it responds before it stores them. */
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
            this.patience.fulfilmentMs,
          )
        : await this.orderStatus(id, intent);
      if (order === undefined) await this.skip(text, NO_ORDER_STATUS);
      else
        await this.expect(text, order.fulfilled === isExpected, `It has ${order.fulfilled ? '' : 'not '}fulfilled it.`);
    }
  }
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
