import {
  anyIncomingSmsSchema,
  anySmsAcceptedSchema,
  describedIncomingSmsSchema,
  smsStatusBatchRequestSchema,
  smsStatusBatchResponseSchema,
} from '../http/sms-events';
import { operation } from './operation';

const tag = 'SMS events';
const credential = { kind: 'deviceKey' } as const;

export const receiveSmsEvents = operation({
  id: 'receiveSmsEvents',
  service: 'sms-ingest',
  method: 'post',
  path: '/v1/sms-events/incoming',
  tag,
  summary: 'Forward one SMS or up to 500',
  description:
    'Answered when the texts are durable. Many are judged one by one, in the order sent, so that a bad one spoils no other. Sending a ' +
    'message again does no harm.',
  credential,
  body: anyIncomingSmsSchema,
  describedBody: describedIncomingSmsSchema,
  bodyLimit: '1mb',
  anyText: true,
  answers: { 202: { description: 'One result, or one for each of many.', body: anySmsAcceptedSchema } },
  errors: ['BUSY'],
});

export const listSmsStatuses = operation({
  id: 'listSmsStatuses',
  service: 'sms-ingest',
  method: 'post',
  path: '/v1/sms-events/status-batch',
  tag,
  summary: 'Ask what became of forwarded messages',
  credential,
  body: smsStatusBatchRequestSchema,
  answers: {
    200: {
      description: 'In the order asked; ids that are not of the merchant and environment are left out.',
      body: smsStatusBatchResponseSchema,
    },
  },
});
