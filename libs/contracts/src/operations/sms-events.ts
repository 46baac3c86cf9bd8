import {
  anyIncomingSmsSchema,
  anySmsAcceptedSchema,
  describedIncomingSmsSchema,
  smsStatusBatchRequestSchema,
  smsStatusBatchResponseSchema,
} from '../http/sms-events';
import { operations } from './operation';

const api = operations({ service: 'sms-ingest', tag: 'SMS events', credential: { kind: 'deviceKey' } });

export const receiveSmsEvents = api.post('receiveSmsEvents', '/v1/sms-events/incoming', {
  summary: 'Forward one SMS or up to 500',
  description:
    'The response is sent after the SMS are stored durably. Messages of a batch are validated one by one in the order of the ' +
    'request; an invalid message does not affect the others. Repeated messages are ignored.',
  body: anyIncomingSmsSchema,
  describedBody: describedIncomingSmsSchema,
  bodyLimit: '1mb',
  anyText: true,
  answers: { 202: { description: 'One result, or one per message of a batch.', body: anySmsAcceptedSchema } },
  errors: ['BUSY'],
});

export const listSmsStatuses = api.post('listSmsStatuses', '/v1/sms-events/status-batch', {
  summary: 'Get the status of forwarded messages',
  body: smsStatusBatchRequestSchema,
  answers: {
    200: {
      description:
        'The status per id, in the order of the request. Ids of other merchants or environments are omitted.',
      body: smsStatusBatchResponseSchema,
    },
  },
});
