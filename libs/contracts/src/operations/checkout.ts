import { z } from 'zod';
import {
  cancelResponseSchema,
  chooseMethodRequestSchema,
  checkoutViewSchema,
  confirmRequestSchema,
  confirmResponseSchema,
} from '../http/checkout';
import { operation } from './operation';

const tag = 'Checkout';
const credential = { kind: 'none' } as const;
const params = z.object({ id: z.uuid() });
const headers = {
  ETag: 'Changes with the view, not with `serverTime`; send it as `If-None-Match` to be answered 304.',
};

export const getCheckout = operation({
  id: 'getCheckout',
  service: 'checkout-api',
  method: 'get',
  path: '/v1/checkout/:id',
  tag,
  summary: 'See what a customer may see of a payment intent',
  description: 'For display only: ask for the intent with an API key before you deliver.',
  credential,
  params,
  answers: {
    200: { description: 'The public view of the intent.', body: checkoutViewSchema, headers },
    304: { description: 'What you have is what it is, but for `serverTime`.', headers },
  },
});

export const watchCheckout = operation({
  id: 'watchCheckout',
  service: 'checkout-api',
  method: 'get',
  path: '/v1/checkout/:id/events',
  tag,
  summary: 'Be told of every change',
  description:
    'Server-sent events. `checkout` carries the view without `branding`: the current one at once, then one per change; after an outcome `end` follows and the ' +
    'stream closes. A stream that closes without it is to be opened again: with `Last-Event-ID` it goes on where it was. 204 tells a browser ' +
    'that there is nothing to wait for any more.',
  credential,
  params,
  answers: {
    200: { description: 'Events until the intent is settled.', contentType: 'text/event-stream' },
    204: { description: 'The intent is settled, and `Last-Event-ID` says that you know.' },
  },
});

export const chooseMethod = operation({
  id: 'chooseMethod',
  service: 'checkout-api',
  method: 'post',
  path: '/v1/checkout/:id/method',
  tag,
  summary: 'Choose the payment method',
  description: 'May be changed while the intent is PENDING: money to any receiver that was shown for it counts.',
  credential,
  params,
  body: chooseMethodRequestSchema,
  answers: { 200: { description: 'The view with the receiver of that method.', body: checkoutViewSchema } },
  errors: ['METHOD_FIXED', 'RECEIVER_ACCOUNT_NOT_CONFIGURED', 'INTENT_EXPIRED', 'INTENT_NOT_PENDING'],
});

export const confirmCheckout = operation({
  id: 'confirmCheckout',
  service: 'checkout-api',
  method: 'post',
  path: '/v1/checkout/:id/confirm',
  tag,
  summary: 'Hand in the transaction id of a payment',
  description:
    'The claim is kept whatever the answer is: a transaction id whose SMS has not come yet is judged when it comes. A transaction id of ' +
    'somebody else is answered like one that has not been seen. A transaction id confirms a payment only when it is sent at or after the ' +
    'minute of the payment that the SMS states, in Asia/Dhaka; one sent up to two minutes earlier leads to a review, and one sent before ' +
    'that is ignored until it is sent again. An intent keeps the three latest transaction ids. When several open intents claim one ' +
    'transaction id, the shop reviews it, unless exactly one of them agrees with `expectedSenderMsisdn` or `payerDigits`.',
  credential,
  params,
  body: confirmRequestSchema,
  answers: { 200: { description: 'What is known of the payment at this moment.', body: confirmResponseSchema } },
  errors: ['duplicate_trx_id', 'INTENT_EXPIRED', 'INTENT_NOT_PENDING'],
});

export const leaveCheckout = operation({
  id: 'leaveCheckout',
  service: 'checkout-api',
  method: 'post',
  path: '/v1/checkout/:id/cancel',
  tag,
  summary: 'Leave the checkout',
  description: 'The intent stays as it is: money that is on its way still pays it.',
  credential,
  params,
  answers: { 200: { description: 'Where to send the customer.', body: cancelResponseSchema } },
});
