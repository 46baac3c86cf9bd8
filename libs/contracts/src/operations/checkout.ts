import { z } from 'zod';
import {
  CHECKOUT_EVENTS,
  cancelResponseSchema,
  checkoutChangeSchema,
  chooseMethodRequestSchema,
  checkoutViewSchema,
  confirmRequestSchema,
  confirmResponseSchema,
  PAYMENT_NOT_FOUND,
} from '../http/checkout';
import { operations } from './operation';

const headers = {
  ETag: 'Changes when the view changes, apart from `serverTime`; send it as `If-None-Match` to receive 304 if nothing has changed.',
};

const api = operations({
  service: 'checkout-api',
  tag: 'Checkout',
  credential: { kind: 'none' },
  notFound: PAYMENT_NOT_FOUND,
});

export const getCheckout = api.get('getCheckout', '/v1/checkout/:id', {
  summary: 'Get the public view of a payment intent',
  description:
    'For the page of the payer and for display only: the response has no CORS headers, so scripts of other sites cannot read it. ' +
    'Retrieve the intent with an API key before fulfilment.',
  answers: {
    200: { description: 'The public view of the intent.', body: checkoutViewSchema, headers },
    304: { description: 'Not modified, except for `serverTime`.', headers },
  },
});

export const watchCheckout = api.get('watchCheckout', '/v1/checkout/:id/events', {
  summary: 'Stream changes of the view',
  description:
    'Server-sent events. `checkout` contains the view without `branding`: first the current view, then one event per change. When ' +
    'the status is PAID, EXPIRED, FAILED or REJECTED, the server sends `end` and closes the stream: a later change from EXPIRED or FAILED ' +
    'to PAID is not streamed. Reconnect to a stream that closes without `end`; `Last-Event-ID` resumes it. The response 204 stops ' +
    'browsers from reconnecting.',
  answers: {
    200: {
      description: 'Events until the status is PAID, EXPIRED, FAILED or REJECTED.',
      contentType: 'text/event-stream',
      events: { [CHECKOUT_EVENTS.view]: checkoutChangeSchema, [CHECKOUT_EVENTS.end]: z.object({}) },
    },
    204: { description: 'The stream has ended with `end` and the client already has the last event.' },
  },
});

export const chooseMethod = api.post('chooseMethod', '/v1/checkout/:id/method', {
  summary: 'Choose the payment method',
  description:
    'The method can be changed while the intent is PENDING. Payments to every receiver that was shown for the intent count.',
  body: chooseMethodRequestSchema,
  answers: { 200: { description: 'The view with the receiver of the chosen method.', body: checkoutViewSchema } },
  errors: ['METHOD_FIXED', 'RECEIVER_ACCOUNT_NOT_CONFIGURED', 'INTENT_EXPIRED', 'INTENT_NOT_PENDING'],
});

export const confirmCheckout = api.post('confirmCheckout', '/v1/checkout/:id/confirm', {
  summary: 'Submit the transaction ID of a payment',
  description:
    'The submitted claim is stored in every case and evaluated when its SMS arrives. A transaction ID of another merchant is ' +
    'treated like an unknown one. A transaction ID confirms a payment automatically only if it is submitted in or after the ' +
    'minute of the payment time in the SMS (Asia/Dhaka). A submission up to two minutes earlier leads to a review; an earlier one ' +
    'is ignored until the transaction ID is submitted again. An intent keeps its three latest claims whose SMS has not arrived. ' +
    'If several open intents claim the same transaction ID, the merchant reviews it, unless exactly one of them matches ' +
    '`expectedSenderMsisdn` or `payerDigits`.',
  body: confirmRequestSchema,
  answers: { 200: { description: 'The result at this time.', body: confirmResponseSchema } },
  errors: ['duplicate_trx_id', 'INTENT_EXPIRED', 'INTENT_NOT_PENDING'],
});

export const leaveCheckout = api.post('leaveCheckout', '/v1/checkout/:id/cancel', {
  summary: 'Cancel the checkout',
  description: 'The intent stays PENDING and can still be paid.',
  answers: { 200: { description: 'The redirect URL for the customer.', body: cancelResponseSchema } },
});
