import { evidenceFileSchema } from '../../http/evidence-file';
import { operation } from '../operation';
import { ANYBODY, params, service } from './common';

export const getEvidenceFile = operation({
  id: 'getEvidenceFile',
  service,
  method: 'get',
  path: '/v1/dashboard/payments/:id/evidence-file',
  tag: 'Evidence file',
  summary: 'Get the evidence file of a payment',
  description:
    'Contains the payment intent, the parsed SMS, each decision with its checks, reasons, author and signature, and the webhook ' +
    'deliveries. `missing` names the parts that are temporarily unavailable.',
  credential: ANYBODY,
  params,
  answers: { 200: { description: 'The evidence file.', body: evidenceFileSchema } },
});
