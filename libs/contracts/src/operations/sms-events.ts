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
    'The response is sent after the SMS are stored durably. Messages of a batch are validated one by one in the order of the ' +
    'request; an invalid message does not affect the others. Repeated messages are ignored.',
  credential,
  body: anyIncomingSmsSchema,
  describedBody: describedIncomingSmsSchema,
  bodyLimit: '1mb',
  anyText: true,
  answers: { 202: { description: 'One result, or one per message of a batch.', body: anySmsAcceptedSchema } },
  errors: ['BUSY'],
});

export const listSmsStatuses = operation({
  id: 'listSmsStatuses',
  service: 'sms-ingest',
  method: 'post',
  path: '/v1/sms-events/status-batch',
  tag,
  summary: 'Get the status of forwarded messages',
  credential,
  body: smsStatusBatchRequestSchema,
  answers: {
    200: {
      description:
        'The status per id, in the order of the request. Ids of other merchants or environments are omitted.',
      body: smsStatusBatchResponseSchema,
    },
  },
});
