import type { InternalEndpoints, TestWebhook } from '@pay/contracts';
import { CasePlayer } from './case-player';
import type { PlayerDeps, RunInput } from './player-deps';

const MERCHANT = '0198a5a0-0000-7000-8000-000000000001';
const INTENT = {
  ...{ id: '0198a5a0-0000-7000-8000-000000000002', amount: '500.00', customerReference: 'ABC234' },
  ...{ merchantReference: null, paymentMethod: 'BKASH_SEND_MONEY', receiverMsisdn: '01700000001' },
} as const;
const FIRST = '0198a5a0-0000-7000-8000-00000000000a';
const SECOND = '0198a5a0-0000-7000-8000-00000000000b';

function anEndpoint(id: string): InternalEndpoints['endpoints'][number] {
  return { id, url: 'https://shop.example/hook', eventTypes: ['payment.paid'], isActive: true };
}

it('a run expects its webhooks at endpoints that were there before its intent, not at one registered meanwhile', async () => {
  const endpoints = [anEndpoint(FIRST)];
  const delivered: TestWebhook = {
    ...{ id: INTENT.id, endpointId: FIRST, paymentIntentId: INTENT.id, eventType: 'payment.paid', status: 'DELIVERED' },
    attempts: [],
  };
  const deps = {
    now: () => new Date(),
    endpointsOf: () => Promise.resolve([...endpoints]),
    apiKeyOf: () => Promise.resolve('key'),
    intents: () => Promise.resolve({ status: 201, body: INTENT }),
    webhooksOf: () => Promise.resolve([delivered]),
  } as unknown as PlayerDeps;
  const run: RunInput = {
    ...{ id: INTENT.id, merchantId: MERCHANT, testCase: 'cancelled', startedBy: `user:${MERCHANT}`, successUrl: null },
    configuration: {
      enabledMethods: ['BKASH_SEND_MONEY'],
      receivers: [{ paymentMethod: 'BKASH_SEND_MONEY', msisdn: INTENT.receiverMsisdn }],
    },
  };
  const player = new CasePlayer(deps, run, () => Promise.resolve());

  const intent = await player.createIntent();
  endpoints.push(anEndpoint(SECOND));
  await player.expectWebhook(intent, 'payment.paid');

  expect(player.progress().expectations).toEqual([
    { text: `payment.paid is delivered to endpoint ${FIRST}.`, result: 'PASSED', detail: null },
  ]);
});
