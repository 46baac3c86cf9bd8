import {
  changeReceiverAccountRequestSchema,
  createReceiverAccountRequestSchema,
  receiverAccountListQuerySchema,
  receiverAccountResponseSchema,
  receiverUsageListSchema,
  receiverUsageQuerySchema,
} from '../../http/dashboard';
import { pageOf } from '../../http/pagination';
import { operation } from '../operation';
import { ANYBODY, MANAGERS, page, params, service } from './common';

const receivers = 'Receiver accounts';

export const createReceiverAccount = operation({
  id: 'createReceiverAccount',
  service,
  method: 'post',
  path: '/v1/dashboard/receiver-accounts',
  tag: receivers,
  summary: 'Add a receiver account',
  description:
    'Several merchants may register the same number in LIVE until one of them has verified it. Their payments are kept separate, ' +
    'and each merchant gets a notice in `GET /v1/auth/me`. A number that another merchant has verified is answered 409; see ' +
    '`requestNumberProof`.',
  credential: MANAGERS,
  body: createReceiverAccountRequestSchema,
  answers: { 201: { description: 'The active receiver account.', body: receiverAccountResponseSchema } },
  errors: ['RECEIVER_ACCOUNT_EXISTS', 'RECEIVER_NUMBER_TAKEN'],
});

export const listReceiverAccounts = operation({
  id: 'listReceiverAccounts',
  service,
  method: 'get',
  path: '/v1/dashboard/receiver-accounts',
  tag: receivers,
  summary: 'List receiver accounts',
  credential: ANYBODY,
  query: receiverAccountListQuerySchema,
  answers: { 200: { description: page, body: pageOf(receiverAccountResponseSchema) } },
});

export const listReceiverUsage = operation({
  id: 'listReceiverUsage',
  service,
  method: 'get',
  path: '/v1/dashboard/receiver-usage',
  tag: receivers,
  summary: 'Get what receiver accounts were paid today and this month',
  description: 'Counted against the limits of the accounts. Days and months are those of Asia/Dhaka.',
  credential: ANYBODY,
  query: receiverUsageQuerySchema,
  answers: { 200: { description: 'One item per receiver account.', body: receiverUsageListSchema } },
});

export const getReceiverAccount = operation({
  id: 'getReceiverAccount',
  service,
  method: 'get',
  path: '/v1/dashboard/receiver-accounts/:id',
  tag: receivers,
  summary: 'Retrieve a receiver account',
  credential: ANYBODY,
  params,
  answers: { 200: { description: 'The receiver account.', body: receiverAccountResponseSchema } },
});

export const changeReceiverAccount = operation({
  id: 'changeReceiverAccount',
  service,
  method: 'patch',
  path: '/v1/dashboard/receiver-accounts/:id',
  tag: receivers,
  summary: 'Update the label or the limits of a receiver account',
  description:
    '`limits` replaces all three limits; null removes them. The number and the payment method cannot be changed.',
  credential: MANAGERS,
  params,
  body: changeReceiverAccountRequestSchema,
  answers: { 200: { description: 'The updated receiver account.', body: receiverAccountResponseSchema } },
});

export const activateReceiverAccount = operation({
  id: 'activateReceiverAccount',
  service,
  method: 'post',
  path: '/v1/dashboard/receiver-accounts/:id/activate',
  tag: receivers,
  summary: 'Activate a receiver account',
  credential: MANAGERS,
  params,
  answers: { 200: { description: 'The updated receiver account.', body: receiverAccountResponseSchema } },
  errors: ['RECEIVER_NUMBER_TAKEN'],
});

export const deactivateReceiverAccount = operation({
  id: 'deactivateReceiverAccount',
  service,
  method: 'post',
  path: '/v1/dashboard/receiver-accounts/:id/deactivate',
  tag: receivers,
  summary: 'Deactivate a receiver account',
  credential: MANAGERS,
  params,
  answers: { 200: { description: 'The updated receiver account.', body: receiverAccountResponseSchema } },
});
