import {
  reparseOneRequestSchema,
  reparseOneResponseSchema,
  smsEventDetailsSchema,
  smsEventListQuerySchema,
  smsEventPageSchema,
  smsEventTextSchema,
} from '../../http/dashboard-sms-events';
import { ANYBODY, MANAGERS, page, REVIEWERS, section } from './common';

const SMS_EVENTS = '/v1/dashboard/sms';

const api = section('SMS events');

export const listSmsEvents = api.get('listSmsEvents', SMS_EVENTS, {
  summary: 'List the SMS of one environment',
  description:
    'Includes SMS that pay nothing and SMS that could not be parsed. `total` is exact up to 10,000; with filters, the newest 10,000 SMS ' +
    'are counted. Use `after` to read further pages.',
  credential: ANYBODY,
  query: smsEventListQuerySchema,
  answers: { 200: { description: page, body: smsEventPageSchema } },
});

export const getSmsEvent = api.get('getSmsEvent', `${SMS_EVENTS}/:id`, {
  summary: 'Retrieve an SMS with its parsed values and its match',
  credential: ANYBODY,
  answers: { 200: { description: 'The SMS without its text.', body: smsEventDetailsSchema } },
});

export const getSmsEventText = api.get('getSmsEventText', `${SMS_EVENTS}/:id/text`, {
  summary: 'Retrieve the text of an SMS',
  description: 'Texts with one-time passwords are never returned.',
  credential: REVIEWERS,
  answers: { 200: { description: 'The text, and where its parsed values are.', body: smsEventTextSchema } },
});

export const reparseSmsEvent = api.post('reparseSmsEvent', `${SMS_EVENTS}/:id/reparse`, {
  summary: 'Parse one UNPARSED SMS again',
  description:
    'Uses the current parser and receiver accounts. The default is a dry run that returns the values before and after; set `dryRun` to ' +
    'false to apply them. An SMS that can be parsed becomes evidence with its original times. Repeating the request has no further effect.',
  credential: MANAGERS,
  body: reparseOneRequestSchema,
  answers: { 200: { description: 'The values before and after.', body: reparseOneResponseSchema } },
});

export const reportSmsEvent = api.post('reportSmsEvent', `${SMS_EVENTS}/:id/report`, {
  summary: 'Report the format of an SMS as unknown or wrongly parsed',
  description:
    'The operator of this system sees the report with the text, in which digits are masked. Repeating the request has no further effect.',
  credential: REVIEWERS,
  answers: { 200: { description: 'The reported SMS.', body: smsEventDetailsSchema } },
});
