import { changeMerchantRequestSchema, merchantResponseSchema } from '../../http/dashboard';
import { ANYBODY, MANAGERS, section } from './common';

const api = section('Merchant');

export const getMerchant = api.get('getMerchant', '/v1/dashboard/merchant', {
  summary: 'Retrieve the merchant of the session',
  credential: ANYBODY,
  answers: { 200: { description: 'The merchant.', body: merchantResponseSchema } },
});

export const changeMerchant = api.patch('changeMerchant', '/v1/dashboard/merchant', {
  summary: 'Update the name, the payment methods or the rules of the merchant',
  description:
    'In LIVE, an SMS with one of these forgery signals goes to review: a TrxID of another date (`trx_id_time`), a balance below ' +
    'the amount (`balance`), a link or phone number (`foreign_content`), `invisible_characters`, `lookalike_letters`, a sender id ' +
    'in another spelling (`sender_id`), a text of Nagad without its line breaks (`line_breaks`), or a text that the forwarder app did not sign (`unsigned_forwarder`). In SANDBOX these ' +
    'signals lead to a review only if `reviewForgerySignals` is true, so that sample texts work. An OWNER can disable the review ' +
    'for a signal with `evidenceRules.relaxedSignals` and a `reason`; both are stored in the audit log.',
  credential: MANAGERS,
  body: changeMerchantRequestSchema,
  answers: { 200: { description: 'The updated merchant.', body: merchantResponseSchema } },
  errors: ['REASON_REQUIRED'],
});
