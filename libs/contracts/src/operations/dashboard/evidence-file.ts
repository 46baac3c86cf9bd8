import { evidenceFileSchema } from '../../http/evidence-file';
import { operation } from '../operation';
import { ANYBODY, params, service } from './common';

export const getEvidenceFile = operation({
  id: 'getEvidenceFile',
  service,
  method: 'get',
  path: '/v1/dashboard/payments/:id/evidence-file',
  tag: 'Evidence file',
  summary: 'The whole story of a payment',
  description:
    'The payment intent, what the SMS said, each decision with its checks, its reasons, who made it and its signature, and the webhooks that ' +
    'told of it. Where a part could not be had just now, `missing` names it and the rest is there.',
  credential: ANYBODY,
  params,
  answers: { 200: { description: 'All that is known of the payment.', body: evidenceFileSchema } },
});
