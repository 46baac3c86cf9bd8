import type { TestWebhook, WebhookEvent } from '@pay/contracts';
import { CasePlayer, type Patience } from './case-player';
import type { PlayerDeps, RunInput } from './player-deps';

const RUN: RunInput = {
  id: 'a-run',
  merchantId: 'a-merchant',
  testCase: 'cancelled',
  startedBy: 'user:a',
  successUrl: null,
  configuration: {
    enabledMethods: ['BKASH_SEND_MONEY'],
    receivers: [{ paymentMethod: 'BKASH_SEND_MONEY', msisdn: '01712345678' }],
  },
};
const NOW: Patience = { effectMs: 0, firstAttemptMs: 0, deliveryMs: 0, fulfilmentMs: 0 };

const anEndpoint = (id: string, eventTypes: readonly WebhookEvent[] = ['payment.paid'], isActive = true) => ({
  id,
  url: `https://${id}.example/hooks`,
  eventTypes: [...eventTypes],
  isActive,
});
const delivered = (endpointId: string): TestWebhook => ({
  id: `to-${endpointId}`,
  endpointId,
  paymentIntentId: 'an-intent',
  eventType: 'payment.paid',
  status: 'DELIVERED',
  attempts: [{ attempt: 1, outcome: 'DELIVERED', httpStatus: 200, response: null }],
});

/** Returns the answers in order and repeats the last one. */
const inTurn = <T>(...answers: readonly T[]) => {
  const left = [...answers];
  return () => Promise.resolve((left.length > 1 ? left.shift() : left[0]) as T);
};

async function webhookExpectations(
  services: Pick<PlayerDeps, 'endpointsOf' | 'webhooksOf'>,
  patience: Partial<Patience> = {},
) {
  const body = { id: 'an-intent', amount: '75', customerReference: 'REF', receiverMsisdn: '01712345678' };
  const deps = {
    ...services,
    now: () => new Date(),
    apiKeyOf: () => Promise.resolve('a key'),
    intents: () => Promise.resolve({ status: 201, body }),
  } as unknown as PlayerDeps;
  const player = new CasePlayer(deps, RUN, () => Promise.resolve(), { ...NOW, ...patience });
  await player.expectWebhook(await player.createIntent(), 'payment.paid');
  return player.progress().expectations.map(({ text, result }) => `${result}: ${text}`);
}

describe('a webhook that a run expects', () => {
  it('is not expected at an endpoint that another run has registered after the intent', async () => {
    const endpointsOf = inTurn([anEndpoint('shop')], [anEndpoint('shop'), anEndpoint('hosted')]);

    expect(await webhookExpectations({ endpointsOf, webhooksOf: inTurn([delivered('shop')]) })).toEqual([
      'PASSED: payment.paid is delivered to endpoint shop.',
    ]);
  });

  it('is not expected at an endpoint that was switched off or unsubscribed after the intent', async () => {
    const endpointsOf = inTurn(
      ['shop', 'off', 'unsubscribed', 'deleted'].map((id) => anEndpoint(id)),
      [anEndpoint('shop'), anEndpoint('off', ['payment.paid'], false), anEndpoint('unsubscribed', ['payment.expired'])],
    );

    expect(await webhookExpectations({ endpointsOf, webhooksOf: inTurn([delivered('shop')]) })).toEqual([
      'PASSED: payment.paid is delivered to endpoint shop.',
    ]);
  });

  it('may be attempted late: the time for retries begins with the first attempt', async () => {
    const webhooksOf = inTurn<TestWebhook[]>([], [], [delivered('shop')]);

    expect(
      await webhookExpectations({ endpointsOf: inTurn([anEndpoint('shop')]), webhooksOf }, { firstAttemptMs: 60_000 }),
    ).toEqual(['PASSED: payment.paid is delivered to endpoint shop.']);
  });

  it('fails the run when an endpoint has not received it', async () => {
    const endpointsOf = inTurn([anEndpoint('shop'), anEndpoint('other')]);

    expect(await webhookExpectations({ endpointsOf, webhooksOf: inTurn([delivered('shop')]) })).toEqual([
      'PASSED: payment.paid is delivered to endpoint shop.',
      'FAILED: payment.paid is delivered to endpoint other.',
    ]);
  });

  it('is skipped when no endpoint is subscribed to it', async () => {
    const endpointsOf = inTurn([anEndpoint('shop', ['payment.expired'])]);

    expect(await webhookExpectations({ endpointsOf, webhooksOf: inTurn([]) })).toEqual([
      'SKIPPED: payment.paid is delivered.',
    ]);
  });
});
