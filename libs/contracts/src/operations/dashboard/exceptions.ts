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
import { operation } from '../operation';
import { ANYBODY, page, params, REVIEWERS, service } from './common';

const tag = 'Exceptions';
const answers = { 200: { description: 'The exception as it is now.', body: exceptionDetailsSchema } };
const ONCE =
  'The first of several people decides; the others are told who did. Whether an action that was answered 503 has happened, the exception ' +
  'says; sent again with the same `requestId` it is done once.';
const MISMATCHES = ['AMOUNT_DIFFERS', 'METHOD_DIFFERS', 'RECEIVER_DIFFERS', 'NAMES_ANOTHER_INTENT'] as const;
const DECIDED = ['EXCEPTION_DECIDED', 'IDEMPOTENCY_KEY_REUSED'] as const;
const PAYS = [...DECIDED, ...MISMATCHES, 'NO_MONEY_READ', 'INTENT_NOT_PENDING', 'duplicate_trx_id'] as const;

export const listExceptions = operation({
  id: 'listExceptions',
  service,
  method: 'get',
  path: '/v1/dashboard/exceptions',
  tag,
  summary: 'List what needs a person',
  description:
    'Money that is in doubt, came late, came twice or leads to no intent (a quarter of an hour after it came), and texts that were not ' +
    'understood. A `disputed_trx_id` is a customer who was answered `duplicate_trx_id` because another intent’s claim had used the transaction ' +
    'id: one of the two may have read it from the other’s screenshot. `total` is exact up to 10,000; `after` leads on, through any number. With `order=oldest`, what has waited longest comes first.',
  credential: ANYBODY,
  query: exceptionListQuerySchema,
  answers: { 200: { description: page, body: exceptionPageSchema } },
});

export const getException = operation({
  id: 'getException',
  service,
  method: 'get',
  path: '/v1/dashboard/exceptions/:id',
  tag,
  summary: 'Retrieve an exception with its candidates and suggestions',
  description: 'Suggestions are for a person to look at. Nothing is ever done about them by itself.',
  credential: ANYBODY,
  params,
  answers: { 200: { description: 'The exception.', body: exceptionDetailsSchema } },
});

export const resolveException = operation({
  id: 'resolveException',
  service,
  method: 'post',
  path: '/v1/dashboard/exceptions/:id/resolve',
  tag,
  summary: 'Approve money for the intent it is about',
  description: `The intent becomes PAID. ${ONCE}`,
  credential: REVIEWERS,
  params,
  body: resolveExceptionRequestSchema,
  answers,
  errors: [...PAYS, 'NO_INTENT_TO_APPROVE'],
});

export const linkException = operation({
  id: 'linkException',
  service,
  method: 'post',
  path: '/v1/dashboard/exceptions/:id/link',
  tag,
  summary: 'Let money pay an intent that a person has chosen',
  description: `The intent becomes PAID. ${ONCE}`,
  credential: REVIEWERS,
  params,
  body: linkExceptionRequestSchema,
  answers,
  errors: PAYS,
});

export const rejectException = operation({
  id: 'rejectException',
  service,
  method: 'post',
  path: '/v1/dashboard/exceptions/:id/reject',
  tag,
  summary: 'Reject the payment of an intent that is in review',
  description: `The intent becomes REJECTED, and the money pays nothing by itself any more. Of a \`disputed_trx_id\`: the claim is unfounded, and no intent changes. ${ONCE}`,
  credential: REVIEWERS,
  params,
  body: rejectExceptionRequestSchema,
  answers,
  errors: [...DECIDED, 'INTENT_NOT_IN_REVIEW'],
});

export const refundException = operation({
  id: 'refundException',
  service,
  method: 'post',
  path: '/v1/dashboard/exceptions/:id/refunded',
  tag,
  summary: 'Close an exception: the money was given back',
  description: `Moves no money. Of a \`disputed_trx_id\`: the customer who came second was given the money back. The text pays nothing by itself any more; no intent changes. ${ONCE}`,
  credential: REVIEWERS,
  params,
  body: closeExceptionRequestSchema,
  answers,
  errors: DECIDED,
});

export const disownException = operation({
  id: 'disownException',
  service,
  method: 'post',
  path: '/v1/dashboard/exceptions/:id/not-ours',
  tag,
  summary: 'Close an exception: no customer of ours has paid this',
  description: `The text pays nothing by itself any more; no intent changes. ${ONCE}`,
  credential: REVIEWERS,
  params,
  body: closeExceptionRequestSchema,
  answers,
  errors: DECIDED,
});

export const reopenException = operation({
  id: 'reopenException',
  service,
  method: 'post',
  path: '/v1/dashboard/exceptions/:id/reopen',
  tag,
  summary: 'Take back that an exception was closed',
  description: 'What was paid stays paid, and an intent that was rejected stays rejected.',
  credential: REVIEWERS,
  params,
  body: closeExceptionRequestSchema,
  answers,
  errors: ['EXCEPTION_NOT_CLOSED', 'NO_MONEY_READ', 'IDEMPOTENCY_KEY_REUSED'],
});

export const assignException = operation({
  id: 'assignException',
  service,
  method: 'post',
  path: '/v1/dashboard/exceptions/:id/assign',
  tag,
  summary: 'Say who looks at an exception',
  description: 'Others may still decide.',
  credential: REVIEWERS,
  params,
  body: assignExceptionRequestSchema,
  answers,
  errors: DECIDED,
});
