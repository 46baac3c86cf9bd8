import {
  changeReceiverAccountRequestSchema,
  createReceiverAccountRequestSchema,
  receiverAccountListQuerySchema,
  receiverAccountResponseSchema,
  receiverUsageListSchema,
  receiverUsageQuerySchema,
} from '../../http/dashboard';
import { pageOf } from '../../http/pagination';
import { ANYBODY, MANAGERS, page, section } from './common';

const api = section('Receiver accounts');

export const createReceiverAccount = api.post('createReceiverAccount', '/v1/dashboard/receiver-accounts', {
  summary: 'Add a receiver account',
  description:
    'Several merchants may register the same number in LIVE until one of them has verified it. Their payments are kept separate, ' +
    'and each merchant gets a notice in `GET /v1/auth/me`. A number that another merchant has verified returns 409; see ' +
    '`requestNumberProof`.',
  credential: MANAGERS,
  body: createReceiverAccountRequestSchema,
  answers: { 201: { description: 'The active receiver account.', body: receiverAccountResponseSchema } },
  errors: ['RECEIVER_ACCOUNT_EXISTS', 'RECEIVER_NUMBER_TAKEN'],
});

export const listReceiverAccounts = api.get('listReceiverAccounts', '/v1/dashboard/receiver-accounts', {
  summary: 'List receiver accounts',
  credential: ANYBODY,
  query: receiverAccountListQuerySchema,
  answers: { 200: { description: page, body: pageOf(receiverAccountResponseSchema) } },
});

export const listReceiverUsage = api.get('listReceiverUsage', '/v1/dashboard/receiver-usage', {
  summary: 'Get the amounts that receiver accounts received today and this month',
  description:
    'Counted against the limits of the accounts. Days and months are those of Asia/Dhaka. A payment belongs to the day of ' +
    'the time in its SMS, also if it is approved on a later day; without an SMS to the day of its approval.',
  credential: ANYBODY,
  query: receiverUsageQuerySchema,
  answers: { 200: { description: 'One item per receiver account.', body: receiverUsageListSchema } },
});

export const getReceiverAccount = api.get('getReceiverAccount', '/v1/dashboard/receiver-accounts/:id', {
  summary: 'Retrieve a receiver account',
  credential: ANYBODY,
  answers: { 200: { description: 'The receiver account.', body: receiverAccountResponseSchema } },
});

export const changeReceiverAccount = api.patch('changeReceiverAccount', '/v1/dashboard/receiver-accounts/:id', {
  summary: 'Update the label or the limits of a receiver account',
  description:
    '`limits` replaces all three limits; null removes them. The number and the payment method cannot be changed.',
  credential: MANAGERS,
  body: changeReceiverAccountRequestSchema,
  answers: { 200: { description: 'The updated receiver account.', body: receiverAccountResponseSchema } },
});

export const activateReceiverAccount = api.post(
  'activateReceiverAccount',
  '/v1/dashboard/receiver-accounts/:id/activate',
  {
    summary: 'Activate a receiver account',
    credential: MANAGERS,
    answers: { 200: { description: 'The updated receiver account.', body: receiverAccountResponseSchema } },
    errors: ['RECEIVER_NUMBER_TAKEN'],
  },
);

export const deactivateReceiverAccount = api.post(
  'deactivateReceiverAccount',
  '/v1/dashboard/receiver-accounts/:id/deactivate',
  {
    summary: 'Deactivate a receiver account',
    credential: MANAGERS,
    answers: { 200: { description: 'The updated receiver account.', body: receiverAccountResponseSchema } },
  },
);
