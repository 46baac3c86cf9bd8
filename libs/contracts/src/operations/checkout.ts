import { z } from 'zod';
import {
  cancelResponseSchema,
  checkoutViewSchema,
  confirmRequestSchema,
  confirmResponseSchema,
} from '../http/checkout';
import { operation } from './operation';

const tag = 'Checkout';
const credential = { kind: 'none' } as const;
const params = z.object({ id: z.uuid() });

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
  answers: { 200: { description: 'The public view of the intent.', body: checkoutViewSchema } },
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
    'somebody else is answered like one that has not been seen.',
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
