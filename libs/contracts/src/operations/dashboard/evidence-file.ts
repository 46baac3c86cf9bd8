import { evidenceFileSchema } from '../../http/evidence-file';
import { ANYBODY, section } from './common';

const api = section('Evidence file');

export const getEvidenceFile = api.get('getEvidenceFile', '/v1/dashboard/payments/:id/evidence-file', {
  summary: 'Get the evidence file of a payment',
  description:
    'Contains the payment intent, the parsed SMS, each decision with its checks, reasons, author and signature, what ' +
    'happened at the checkout, and the webhook deliveries. `missing` names the parts that are temporarily unavailable.',
  credential: ANYBODY,
  answers: { 200: { description: 'The evidence file.', body: evidenceFileSchema } },
});
