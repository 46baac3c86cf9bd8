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
  summary: 'Change the name that customers see, the enabled payment methods, or the rules about evidence',
  description:
    'In LIVE, evidence that shows a signal which honest texts never show goes to review, whatever the rules say: a TrxID of another date ' +
    '(`trx_id_time`), a balance below the amount (`balance`), a link or phone number (`foreign_content`), `invisible_characters`, ' +
    '`lookalike_letters`, a sender id in another spelling (`sender_id`), and texts that a forwarder app did not sign ' +
    '(`unsigned_forwarder`). SANDBOX is lenient: there these lead to review only by `reviewForgerySignals`, so that sample texts work. ' +
    'An OWNER can relax a single signal by `evidenceRules.relaxedSignals`, with a `reason`; the audit log keeps both.',
  credential: MANAGERS,
  body: changeMerchantRequestSchema,
  answers: { 200: { description: 'The merchant as it is now.', body: merchantResponseSchema } },
  errors: ['REASON_REQUIRED'],
});
