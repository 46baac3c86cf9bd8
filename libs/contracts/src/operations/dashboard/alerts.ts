import {
  alertListQuerySchema,
  alertPageSchema,
  alertSettingsQuerySchema,
  alertSettingsResponseSchema,
  changeAlertSettingsRequestSchema,
} from '../../http/alerts';
import { ANYBODY, MANAGERS, page, section } from './common';

const api = section('Alerts');

export const listAlerts = api.get('listAlerts', '/v1/dashboard/alerts', {
  summary: 'List alerts',
  description:
    'An alert is opened within about a minute for a phone that sends heartbeats and has been silent for five minutes ' +
    '(`device_silent`), exceptions of one kind that have been open for an hour (`exceptions_waiting`), an endpoint that has ' +
    'accepted nothing for 15 minutes (`endpoint_failing`), missing SMS of the last 24 hours (`sms_missing`), and a payment by ' +
    'an SMS that the balances of later SMS contradict, found in the last 24 hours (`payment_doubtful`). It is closed when the ' +
    'problem is gone.',
  credential: ANYBODY,
  query: alertListQuerySchema,
  answers: { 200: { description: page, body: alertPageSchema } },
});

export const getAlertSettings = api.get('getAlertSettings', '/v1/dashboard/alert-settings', {
  summary: 'Retrieve the alert settings of an environment',
  credential: ANYBODY,
  query: alertSettingsQuerySchema,
  answers: { 200: { description: 'The settings.', body: alertSettingsResponseSchema } },
});

export const changeAlertSettings = api.put('changeAlertSettings', '/v1/dashboard/alert-settings', {
  summary: 'Update the alert settings of an environment',
  description:
    'Each opened alert is sent once by e-mail to every active OWNER and ADMIN, together with the others that are open. ' +
    'There are at least 15 minutes between two mails of an environment.',
  credential: MANAGERS,
  body: changeAlertSettingsRequestSchema,
  answers: { 200: { description: 'The updated settings.', body: alertSettingsResponseSchema } },
});
