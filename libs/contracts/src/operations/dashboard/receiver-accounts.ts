import {
  changeReceiverAccountRequestSchema,
  createReceiverAccountRequestSchema,
  receiverAccountListQuerySchema,
  receiverAccountResponseSchema,
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
  summary: 'Add a wallet number',
  description:
    'Several merchants may register a number for LIVE as long as none has proven it: payments of the two never mix, and each finds a notice ' +
    'of the other in `GET /v1/auth/me`. A number that another merchant has proven is answered 409; see `requestNumberProof`.',
  credential: MANAGERS,
  body: createReceiverAccountRequestSchema,
  answers: { 201: { description: 'The receiver account, active.', body: receiverAccountResponseSchema } },
  errors: ['RECEIVER_ACCOUNT_EXISTS', 'RECEIVER_NUMBER_TAKEN'],
});

export const listReceiverAccounts = operation({
  id: 'listReceiverAccounts',
  service,
  method: 'get',
  path: '/v1/dashboard/receiver-accounts',
  tag: receivers,
  summary: 'List wallet numbers',
  credential: ANYBODY,
  query: receiverAccountListQuerySchema,
  answers: { 200: { description: page, body: pageOf(receiverAccountResponseSchema) } },
});

export const getReceiverAccount = operation({
  id: 'getReceiverAccount',
  service,
  method: 'get',
  path: '/v1/dashboard/receiver-accounts/:id',
  tag: receivers,
  summary: 'Retrieve a wallet number',
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
  summary: 'Change the label or the limits of a wallet number',
  description: '`limits` replaces all three limits; null lifts them. The number and the method never change.',
  credential: MANAGERS,
  params,
  body: changeReceiverAccountRequestSchema,
  answers: { 200: { description: 'The receiver account as it is now.', body: receiverAccountResponseSchema } },
});

export const activateReceiverAccount = operation({
  id: 'activateReceiverAccount',
  service,
  method: 'post',
  path: '/v1/dashboard/receiver-accounts/:id/activate',
  tag: receivers,
  summary: 'Open a wallet number again',
  credential: MANAGERS,
  params,
  answers: { 200: { description: 'The receiver account as it is now.', body: receiverAccountResponseSchema } },
  errors: ['RECEIVER_NUMBER_TAKEN'],
});

export const deactivateReceiverAccount = operation({
  id: 'deactivateReceiverAccount',
  service,
  method: 'post',
  path: '/v1/dashboard/receiver-accounts/:id/deactivate',
  tag: receivers,
  summary: 'Close a wallet number: nobody is asked to pay there',
  credential: MANAGERS,
  params,
  answers: { 200: { description: 'The receiver account as it is now.', body: receiverAccountResponseSchema } },
});
