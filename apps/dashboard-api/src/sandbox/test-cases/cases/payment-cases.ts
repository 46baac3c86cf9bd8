import { METHODS_WITH_REFERENCE, METHODS_WITHOUT_REFERENCE, type TestCaseKey } from '@pay/contracts';
import type { TestCaseDefinition } from '../test-case';
import { forgedText, less, reasonOf } from './case-values';

export const PAYMENT_CASES = {
  'paid-by-reference': {
    title: 'Paid by reference',
    purpose: 'The usual payment: the customer enters the reference, and the shop is notified.',
    steps: ['Create an intent.', 'Simulate the SMS of the payment with its reference and amount.'],
    expected: [
      'The match is MATCHED and no check fails.',
      'The intent is PAID.',
      'payment.paid is delivered.',
      'The shop has stored the event when it answers 2xx, and fulfils the order.',
    ],
    play: async (player) => {
      const intent = await player.createIntent();
      const simulation = await player.pay(intent);
      await player.expectMatch(simulation, { statuses: ['MATCHED'], reason: 'reference_match' });
      await player.expectAllChecks(simulation);
      await player.expectStatus(intent, 'PAID');
      await player.expectWebhook(intent, 'payment.paid');
      await player.expectStored(intent);
      await player.expectFulfilment(intent, true);
      await player.expectApiStatus(intent, 'PAID');
    },
  },
  'paid-by-trx-id-before-sms': {
    title: 'Paid by TrxID, submitted before the SMS arrives',
    purpose: 'The customer forgot the reference and submits the TrxID before the phone forwards the SMS.',
    steps: ['Create an intent.', 'Submit the TrxID at checkout.', 'Simulate the SMS without a reference.'],
    expected: ['The TrxID is not found at first.', 'The intent is PAID after the SMS.', 'payment.paid is delivered.'],
    play: async (player) => {
      const intent = await player.createIntent();
      const trxId = await player.newTrxId(intent);
      const paidAt = new Date();
      const answer = await player.confirm(intent, trxId);
      await player.expect(
        'The answer is matched: false, trx_id_not_found.',
        answer.body['matched'] === false && reasonOf(answer) === 'trx_id_not_found',
        `It was ${answer.status} ${reasonOf(answer)}.`,
      );
      const simulation = await player.pay(intent, { reference: null, trxId, receivedAt: paidAt });
      await player.expectMatch(simulation, { statuses: ['MATCHED'], reason: 'trx_id_match' });
      await player.expectPaid(intent);
    },
  },
  'paid-by-trx-id-after-sms': {
    title: 'Paid by TrxID, submitted after the SMS arrived',
    purpose: 'The customer forgot the reference; the SMS waits until the customer submits its TrxID.',
    steps: ['Create an intent.', 'Simulate the SMS without a reference.', 'Submit its TrxID at checkout.'],
    expected: ['The answer is matched: true, trx_id_match.', 'The intent is PAID.', 'payment.paid is delivered.'],
    play: async (player) => {
      const intent = await player.createIntent();
      const { smsEvent } = await player.pay(intent, { reference: null });
      const answer = await player.confirm(intent, smsEvent.parsedTrxId ?? '');
      await player.expect(
        'The answer is matched: true, trx_id_match.',
        answer.body['matched'] === true && reasonOf(answer) === 'trx_id_match',
        `It was ${answer.status} ${reasonOf(answer)}.`,
      );
      await player.expectPaid(intent);
    },
  },
  'cash-out-by-trx-id': {
    title: 'Cash Out or Nagad Payment by TrxID',
    purpose: 'Texts of Cash Out and Nagad Payment contain no reference, so the customer submits the TrxID.',
    steps: [
      'Create an intent for a method whose text contains no reference.',
      'Simulate its SMS.',
      'Submit its TrxID at checkout.',
    ],
    expected: ['The intent is PAID.', 'payment.paid is delivered.'],
    play: async (player) => {
      const intent = await player.createIntent(METHODS_WITHOUT_REFERENCE);
      const simulation = await player.pay(intent, { reference: null });
      await player.confirm(intent, simulation.smsEvent.parsedTrxId ?? '');
      await player.expectMatch(simulation, { statuses: ['MATCHED'], reason: 'trx_id_match' });
      await player.expectPaid(intent);
    },
  },
  'wrong-amount': {
    title: 'Wrong amount',
    purpose: 'A payment with the right reference and another amount needs a review.',
    steps: ['Create an intent.', 'Simulate an SMS with its reference and Tk 1 less.'],
    expected: ['The check amount fails.', 'The intent is REVIEW_REQUIRED.', 'payment.review_required is delivered.'],
    play: async (player) => {
      const intent = await player.createIntent();
      const simulation = await player.pay(intent, { amount: less(intent.amount) });
      await player.expectMatch(simulation, { statuses: ['REVIEW_REQUIRED'], failed: 'amount' });
      await player.expectStatus(intent, 'REVIEW_REQUIRED');
      await player.expectWebhook(intent, 'payment.review_required');
      await player.expectUnpaid(intent);
    },
  },
  'missing-reference-then-trx-id': {
    title: 'Missing reference, then TrxID',
    purpose: 'An SMS without a reference pays nothing until the customer submits its TrxID.',
    steps: ['Create an intent.', 'Simulate the SMS without a reference.', 'Submit its TrxID at checkout.'],
    expected: ['The match is PENDING and the intent stays PENDING.', 'After the TrxID the intent is PAID.'],
    play: async (player) => {
      const intent = await player.createIntent();
      const simulation = await player.pay(intent, { reference: null });
      await player.expectMatch(simulation, { statuses: ['PENDING'], reason: 'no_reference' });
      await player.expectStatus(intent, 'PENDING');
      await player.confirm(intent, simulation.smsEvent.parsedTrxId ?? '');
      await player.expectMatch(simulation, { statuses: ['MATCHED'], reason: 'trx_id_match' });
      await player.expectPaid(intent);
    },
  },
  'wrong-receiver': {
    title: 'Wrong receiver',
    purpose: 'Money that went to another number does not pay the intent automatically.',
    steps: ['Create an intent.', 'Simulate an SMS with its reference at a number that is not its receiver.'],
    expected: ['The check receiver fails.', 'The intent is not PAID.', 'payment.paid is not sent.'],
    play: async (player) => {
      const intent = await player.createIntent();
      const { paymentMethod } = intent;
      const other = player.run.configuration.receivers.find(
        (one) => one.paymentMethod === paymentMethod && one.msisdn !== intent.receiverMsisdn,
      );
      const receiver = other ?? { paymentMethod, msisdn: otherNumber(intent.receiverMsisdn) };
      const simulation = await player.pay(intent, { receiver });
      await player.expectMatch(simulation, { statuses: ['REVIEW_REQUIRED'], failed: 'receiver' });
      await player.expectUnpaid(intent);
    },
  },
  'wrong-method': {
    title: 'Wrong method',
    purpose: 'Money received by another method than the intent shows does not pay it automatically.',
    steps: ['Create an intent.', 'Simulate an SMS with its reference at a wallet of another method.'],
    expected: ['The check method fails.', 'The intent is not PAID.', 'payment.paid is not sent.'],
    play: async (player) => {
      const intent = await player.createIntent();
      const receiver = player.receiver(METHODS_WITH_REFERENCE, [intent.paymentMethod]);
      const simulation = await player.pay(intent, { receiver });
      await player.expectMatch(simulation, { statuses: ['REVIEW_REQUIRED'], failed: 'method' });
      await player.expectUnpaid(intent);
    },
  },
  'trx-id-of-another-order': {
    title: 'TrxID of another order',
    purpose: 'A customer submits the TrxID of a payment that has paid another order.',
    steps: ['Create two intents.', 'Pay the first by reference.', 'Submit its TrxID at the checkout of the second.'],
    expected: ['The answer is 409 duplicate_trx_id.', 'The second intent stays PENDING.'],
    play: async (player) => {
      const paid = await player.createIntent();
      const other = await player.createIntent([paid.paymentMethod], { amount: paid.amount });
      const simulation = await player.pay(paid);
      await player.expectStatus(paid, 'PAID');
      const answer = await player.confirm(other, simulation.smsEvent.parsedTrxId ?? '');
      await player.expect(
        'The answer is 409 duplicate_trx_id.',
        answer.status === 409 && answer.body['code'] === 'duplicate_trx_id',
        `It was ${answer.status} ${reasonOf(answer)}.`,
      );
      await player.expectStatus(other, 'PENDING');
      await player.expectUnpaid(other);
    },
  },
  'duplicate-trx-id': {
    title: 'Duplicate TrxID',
    purpose: 'A second SMS with the TrxID of a payment that was used pays nothing.',
    steps: ['Create two intents.', 'Pay the first.', 'Simulate an SMS for the second with the same TrxID.'],
    expected: ['The second match is DUPLICATE.', 'The second intent stays PENDING.'],
    play: async (player) => {
      const paid = await player.createIntent();
      const other = await player.createIntent([paid.paymentMethod]);
      const first = await player.pay(paid);
      await player.expectStatus(paid, 'PAID');
      const trxId = first.smsEvent.parsedTrxId ?? '';
      const receiver = { paymentMethod: paid.paymentMethod, msisdn: paid.receiverMsisdn };
      const second = await player.pay(other, { trxId, receiver });
      await player.expectMatch(second, { statuses: ['DUPLICATE'], reason: 'duplicate_trx_id' });
      await player.expectStatus(other, 'PENDING');
      await player.expectUnpaid(other);
    },
  },
  'second-payment': {
    title: 'Second payment for one order',
    purpose: 'A customer pays twice. The order is fulfilled once and the second payment needs a review.',
    steps: ['Create an intent.', 'Pay it by reference.', 'Pay it by reference again.'],
    expected: ['The second match needs a review.', 'The intent stays PAID.', 'payment.paid is sent once.'],
    play: async (player) => {
      const intent = await player.createIntent();
      await player.pay(intent);
      await player.expectStatus(intent, 'PAID');
      const second = await player.pay(intent);
      await player.expectMatch(second, { statuses: ['REVIEW_REQUIRED'], reason: 'intent_already_paid' });
      await player.expectStatus(intent, 'PAID');
      const webhooks = await player.expectWebhook(intent, 'payment.paid');
      const endpoints = new Set(webhooks.map(({ endpointId }) => endpointId));
      await player.expect(
        'Each endpoint gets payment.paid once.',
        webhooks.length === endpoints.size,
        `${webhooks.length} deliveries to ${endpoints.size} endpoints.`,
      );
      await player.expectFulfilment(intent, true);
    },
  },
  'forged-text': {
    title: 'Forged text',
    purpose: 'A text with the words of the provider from a private number confirms nothing.',
    steps: ['Create an intent.', 'Simulate the right text from the sender of a private number.'],
    expected: ['The SMS is UNPARSED with reason untrusted_sender.', 'The intent stays PENDING.'],
    play: async (player) => {
      const intent = await player.createIntent();
      const { smsEvent } = await player.sendText(
        forgedText(intent, await player.newTrxId({ paymentMethod: 'BKASH_SEND_MONEY' })),
      );
      await player.expect(
        'The SMS is UNPARSED with reason untrusted_sender.',
        smsEvent.status === 'UNPARSED' && smsEvent.failureReason === 'untrusted_sender',
        `It is ${smsEvent.status} ${smsEvent.failureReason ?? ''}.`,
      );
      await player.expectStatus(intent, 'PENDING');
      await player.expectUnpaid(intent);
    },
  },
} as const satisfies Partial<Record<TestCaseKey, TestCaseDefinition>>;

/** Differs in the last digit. */
function otherNumber(msisdn: string): string {
  return `${msisdn.slice(0, -1)}${(Number(msisdn.slice(-1)) + 1) % 10}`;
}
