import { changeMerchantRequestSchema, merchantResponseSchema } from '../../http/dashboard';
import { operation } from '../operation';
import { ANYBODY, MANAGERS, service } from './common';

export const getMerchant = operation({
  id: 'getMerchant',
  service,
  method: 'get',
  path: '/v1/dashboard/merchant',
  tag: 'Merchant',
  summary: 'Retrieve the merchant of the session',
  credential: ANYBODY,
  answers: { 200: { description: 'The merchant.', body: merchantResponseSchema } },
});

export const changeMerchant = operation({
  id: 'changeMerchant',
  service,
  method: 'patch',
  path: '/v1/dashboard/merchant',
  tag: 'Merchant',
  summary: 'Change the name that customers see, or the enabled payment methods',
  credential: MANAGERS,
  body: changeMerchantRequestSchema,
  answers: { 200: { description: 'The merchant as it is now.', body: merchantResponseSchema } },
});
