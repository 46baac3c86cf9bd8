import {
  assignExceptionRequestSchema,
  closeExceptionRequestSchema,
  exceptionDetailsSchema,
  exceptionListQuerySchema,
  exceptionPageSchema,
  linkExceptionRequestSchema,
  rejectExceptionRequestSchema,
  resolveExceptionRequestSchema,
} from '../../http/exceptions';
import { ANYBODY, page, REVIEWERS, section } from './common';

const answers = { 200: { description: 'The updated exception.', body: exceptionDetailsSchema } };
const ONCE =
  'If several users decide, the first decision is applied and the others receive 409. After a 503, retry with the same `requestId`: the ' +
  'action is applied once.';
const MISMATCHES = ['AMOUNT_DIFFERS', 'METHOD_DIFFERS', 'RECEIVER_DIFFERS', 'NAMES_ANOTHER_INTENT'] as const;
const DECIDED = ['EXCEPTION_DECIDED', 'IDEMPOTENCY_KEY_REUSED'] as const;
const PAYS = [
  ...DECIDED,
  ...MISMATCHES,
  'DOUBTS_NOT_ACKNOWLEDGED',
  'NO_MONEY_READ',
  'INTENT_NOT_PENDING',
  'duplicate_trx_id',
] as const;

const api = section('Exceptions');

export const listExceptions = api.get('listExceptions', '/v1/dashboard/exceptions', {
  summary: 'List exceptions that need a review',
  description:
    'Payments that are doubtful, late or duplicated, payments without an intent (after 15 minutes), and SMS that could not be ' +
    'parsed. A `disputed_trx_id` is a claim that was refused because its transaction ID has paid another intent: one of the ' +
    'customers may have copied it from a screenshot of the other. `total` is exact up to 10,000; use `after` to read further ' +
    'pages. `order=oldest` returns the longest-waiting exceptions first.',
  credential: ANYBODY,
  query: exceptionListQuerySchema,
  answers: { 200: { description: page, body: exceptionPageSchema } },
});

export const getException = api.get('getException', '/v1/dashboard/exceptions/:id', {
  summary: 'Retrieve an exception',
  description:
    'Includes candidates and suggestions. Suggestions are for reviewers only and are never applied automatically.',
  credential: ANYBODY,
  answers: { 200: { description: 'The exception.', body: exceptionDetailsSchema } },
});

export const resolveException = api.post('resolveException', '/v1/dashboard/exceptions/:id/resolve', {
  summary: 'Approve the payment of an exception',
  description: `The intent becomes PAID. ${ONCE}`,
  credential: REVIEWERS,
  body: resolveExceptionRequestSchema,
  answers,
  errors: [...PAYS, 'NO_INTENT_TO_APPROVE'],
});

export const linkException = api.post('linkException', '/v1/dashboard/exceptions/:id/link', {
  summary: 'Link the payment of an exception to a chosen intent',
  description: `The intent becomes PAID. ${ONCE}`,
  credential: REVIEWERS,
  body: linkExceptionRequestSchema,
  answers,
  errors: PAYS,
});

export const rejectException = api.post('rejectException', '/v1/dashboard/exceptions/:id/reject', {
  summary: 'Reject the payment of an intent in review',
  description:
    'The intent becomes REJECTED, and the SMS no longer pays an intent automatically. For a `disputed_trx_id`: the claim is ' +
    'unfounded; its intent becomes REJECTED if it is in review and no other open exception leads to it. With `paymentIntentId`, ' +
    'an intent that this SMS led to review can be rejected also after the exception was closed, unless another open exception ' +
    `leads to the intent. ${ONCE}`,
  credential: REVIEWERS,
  body: rejectExceptionRequestSchema,
  answers,
  errors: [...DECIDED, 'INTENT_NOT_IN_REVIEW', 'INTENT_IN_OTHER_EXCEPTION'],
});

export const refundException = api.post('refundException', '/v1/dashboard/exceptions/:id/refunded', {
  summary: 'Close an exception as refunded',
  description:
    'This operation transfers no money. The SMS no longer pays an intent automatically, and no intent changes. For a ' +
    `\`disputed_trx_id\`: the customer of the refused claim was refunded. ${ONCE}`,
  credential: REVIEWERS,
  body: closeExceptionRequestSchema,
  answers,
  errors: DECIDED,
});

export const disownException = api.post('disownException', '/v1/dashboard/exceptions/:id/not-ours', {
  summary: 'Close an exception as not related to the merchant',
  description: `The SMS no longer pays an intent automatically. No intent changes. ${ONCE}`,
  credential: REVIEWERS,
  body: closeExceptionRequestSchema,
  answers,
  errors: DECIDED,
});

export const reopenException = api.post('reopenException', '/v1/dashboard/exceptions/:id/reopen', {
  summary: 'Reopen a closed exception',
  description:
    'The SMS is matched again, with the intents and claims of the time since then. It may pay one of them or put it under review.',
  credential: REVIEWERS,
  body: closeExceptionRequestSchema,
  answers,
  errors: ['EXCEPTION_NOT_CLOSED', 'NO_MONEY_READ', 'IDEMPOTENCY_KEY_REUSED'],
});

export const assignException = api.post('assignException', '/v1/dashboard/exceptions/:id/assign', {
  summary: 'Assign an exception to a user',
  description: 'Other users may still decide.',
  credential: REVIEWERS,
  body: assignExceptionRequestSchema,
  answers,
  errors: DECIDED,
});
