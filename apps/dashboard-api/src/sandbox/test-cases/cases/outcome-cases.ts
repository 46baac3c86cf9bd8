import { METHODS_WITH_REFERENCE, type TestCaseKey } from '@pay/contracts';
import type { CasePlayer } from '../case-player';
import type { PlayedIntent } from '../case-steps';
import type { TestCaseDefinition } from '../test-case';
import { less, reasonOf } from './case-values';

export const OUTCOME_CASES = {
  'late-payment': {
    title: 'Late payment',
    purpose: 'A payment after the expiry does not pay the intent automatically.',
    steps: ['Create an intent.', 'Advance the test clock beyond its expiry.', 'Simulate the SMS of its payment.'],
    expected: [
      'The intent is EXPIRED.',
      'payment.expired is delivered.',
      'The match needs a review with reason late_payment.',
      'payment.paid is not sent.',
    ],
    play: async (player) => {
      const intent = await player.createIntent(METHODS_WITH_REFERENCE);
      await player.expire(intent);
      await player.expectStatus(intent, 'EXPIRED');
      await player.expectWebhook(intent, 'payment.expired');
      const simulation = await player.pay(intent);
      await player.expectMatch(simulation, { statuses: ['REVIEW_REQUIRED'], reason: 'late_payment' });
      await player.expectStatus(intent, 'EXPIRED');
      await player.expectUnpaid(intent);
    },
  },
  expired: {
    title: 'Expired',
    purpose: 'The customer does not pay in time.',
    steps: ['Create an intent.', 'Advance the test clock beyond its expiry.', 'Submit a TrxID at checkout.'],
    expected: [
      'The intent is EXPIRED.',
      'payment.expired is delivered.',
      'Confirming the TrxID returns 409 INTENT_EXPIRED.',
    ],
    play: async (player) => {
      const intent = await player.createIntent(METHODS_WITH_REFERENCE);
      await player.expire(intent);
      await player.expectStatus(intent, 'EXPIRED');
      await player.expectWebhook(intent, 'payment.expired');
      const answer = await player.confirm(intent, await player.newTrxId(intent));
      await player.expect(
        'Confirming the TrxID returns 409 INTENT_EXPIRED.',
        answer.status === 409 && answer.body['code'] === 'INTENT_EXPIRED',
        `It returned ${answer.status} ${reasonOf(answer)}.`,
      );
      await player.expectUnpaid(intent);
    },
  },
  cancelled: {
    title: 'Cancelled',
    purpose: 'The customer cancels at checkout. The intent stays PENDING and can still be paid.',
    steps: ['Create an intent.', 'Cancel the checkout.', 'Simulate the SMS of its payment.'],
    expected: ['The intent stays PENDING after the cancellation.', 'It is PAID after the payment.'],
    play: async (player) => {
      const intent = await player.createIntent();
      const answer = await player.cancel(intent);
      await player.expect('The cancellation returns 200.', answer.status === 200, `It returned ${answer.status}.`);
      await player.expectStatus(intent, 'PENDING');
      await player.expectFulfilment(intent, false);
      await player.pay(intent);
      await player.expectPaid(intent);
    },
  },
  'rejected-by-reviewer': {
    title: 'Rejected by a reviewer',
    purpose: 'A reviewer rejects a payment with the wrong amount.',
    steps: ['Create an intent.', 'Simulate a payment of Tk 1 less.', 'Reject it as reviewer.'],
    expected: ['The intent is REJECTED.', 'payment.rejected is delivered.', 'payment.paid is not sent.'],
    play: async (player) => {
      const intent = await reviewWrongAmount(player, 'reject');
      if (intent === undefined) return;
      await player.expectStatus(intent, 'REJECTED');
      await player.expectWebhook(intent, 'payment.rejected');
      await player.expectUnpaid(intent);
    },
  },
  'approved-by-reviewer': {
    title: 'Approved by a reviewer',
    purpose: 'A reviewer approves a payment with the wrong amount.',
    steps: ['Create an intent.', 'Simulate a payment of Tk 1 less.', 'Approve it as reviewer.'],
    expected: ['The intent is PAID.', 'payment.paid is delivered.'],
    play: async (player) => {
      const intent = await reviewWrongAmount(player, 'resolve');
      if (intent === undefined) return;
      await player.expectPaid(intent);
    },
  },
  'silent-phone': {
    title: 'Silent phone',
    purpose: 'The phone forwards the SMS of a payment that was made in time after the intent has expired.',
    steps: [
      'Create an intent.',
      'Submit the TrxID of a payment whose SMS has not arrived.',
      'Advance the test clock beyond its expiry.',
      'Simulate the SMS with the time of the payment.',
    ],
    expected: ['The intent is EXPIRED.', 'The match needs a review and says that the payment was made in time.'],
    play: async (player) => {
      const intent = await player.createIntent(METHODS_WITH_REFERENCE);
      const trxId = await player.newTrxId(intent);
      const paidAt = new Date();
      const answer = await player.confirm(intent, trxId);
      await player.expect(
        'The TrxID is not found while the phone is silent.',
        answer.body['matched'] === false,
        `It returned ${answer.status} ${reasonOf(answer)}.`,
      );
      await player.expire(intent);
      await player.expectStatus(intent, 'EXPIRED');
      await player.expectWebhook(intent, 'payment.expired');
      const simulation = await player.pay(intent, { trxId, receivedAt: paidAt });
      const match = await player.expectMatch(simulation, { statuses: ['REVIEW_REQUIRED'], reason: 'late_payment' });
      await player.expect(
        'The match says that the payment was made in time.',
        match?.paidInTime === true,
        `paidInTime is ${String(match?.paidInTime)}.`,
      );
      await player.expectUnpaid(intent);
    },
  },
} as const satisfies Partial<Record<TestCaseKey, TestCaseDefinition>>;

/** Undefined if there is no match to decide about. */
async function reviewWrongAmount(player: CasePlayer, action: 'resolve' | 'reject'): Promise<PlayedIntent | undefined> {
  const intent = await player.createIntent();
  const simulation = await player.pay(intent, { amount: less(intent.amount) });
  const match = await player.expectMatch(simulation, { statuses: ['REVIEW_REQUIRED'], failed: 'amount' });
  await player.expectStatus(intent, 'REVIEW_REQUIRED');
  if (match === null) return undefined;
  await player.review(match, action, intent);
  return intent;
}
