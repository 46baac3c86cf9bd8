import type { TestCaseKey } from '@pay/contracts';
import type { CasePlayer } from '../case-player';
import { CaseSkipped } from '../case-steps';
import type { TestCaseDefinition } from '../test-case';

/** Requests that a shop must not accept as a payment. */
export const SHOP_CASES = {
  'forged-webhook': {
    title: 'Forged webhook',
    purpose: 'Anybody can send a request to an endpoint. The shop must verify the signature.',
    steps: ['Create an intent.', 'Send payment.paid with a wrong signature to each endpoint.'],
    expected: ['The endpoint answers 4xx.', 'The shop has not fulfilled the order.'],
    play: async (player) => {
      const intent = await player.createIntent();
      for (const { id } of await shopsOf(player)) {
        await player.step('Send payment.paid with a wrong signature.');
        const { httpStatus, outcome } = await player.sendToShop('forged_signature', id, intent);
        const isRefused = httpStatus !== null && httpStatus >= 400 && httpStatus < 500;
        await player.expect(`Endpoint ${id} answers 4xx.`, isRefused, `It answered ${httpStatus ?? outcome}.`);
      }
      await player.expectFulfilment(intent, false);
      await player.expectStatus(intent, 'PENDING');
    },
  },
  'redirect-without-payment': {
    title: 'Redirect without a payment',
    purpose: 'A browser can open the success page at any time. The shop must not fulfil because of it.',
    steps: ['Create an intent.', 'Open successUrl with status=PAID although nothing was paid.'],
    expected: ['The shop has not fulfilled the order.'],
    play: async (player) => {
      const { successUrl } = player.run;
      if (successUrl === null) throw new CaseSkipped('successUrl is required for this case.');
      const intent = await player.createIntent();
      await shopsOf(player);
      const { httpStatus, outcome } = await player.followRedirect(intent, successUrl);
      await player.expect('The success page answers.', httpStatus !== null, `No answer: ${outcome}.`);
      await player.expectFulfilment(intent, false);
      await player.expectStatus(intent, 'PENDING');
    },
  },
  'other-environment': {
    title: 'Event of another environment',
    purpose: 'A shop must compare `environment` with its own: money is paid in LIVE only.',
    steps: ['Create an intent.', 'Send payment.paid with a right signature and the environment OTHER.'],
    expected: ['The shop has not fulfilled the order.'],
    play: async (player) => {
      const intent = await player.createIntent();
      for (const { id } of await shopsOf(player)) {
        await player.step('Send payment.paid of another environment.');
        const { httpStatus, outcome } = await player.sendToShop('other_environment', id, intent);
        await player.expect(`Endpoint ${id} answers.`, httpStatus !== null, `No answer: ${outcome}.`);
      }
      await player.expectFulfilment(intent, false);
      await player.expectStatus(intent, 'PENDING');
    },
  },
} as const satisfies Partial<Record<TestCaseKey, TestCaseDefinition>>;

async function shopsOf(player: CasePlayer) {
  const shops = await player.shops();
  if (shops.length === 0)
    throw new CaseSkipped('An active SANDBOX endpoint that is subscribed to payment.paid is required.');
  return shops;
}
