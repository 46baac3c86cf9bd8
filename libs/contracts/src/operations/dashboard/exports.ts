import {
  deliveryExportQuerySchema,
  exceptionExportQuerySchema,
  paymentExportQuerySchema,
  smsEventExportQuerySchema,
} from '../../http/exports';
import { operations } from '../operation';
import { CSV_EXAMPLES } from './csv-examples';
import { listExceptions } from './exceptions';
import { listPayments } from './payments';
import { listSmsEvents } from './sms-events';
import { listDeliveries } from './webhooks';

const EXPORTS = '/v1/dashboard/exports';
const api = operations({
  service: 'dashboard-api',
  tag: 'CSV exports',
  description:
    'Rows are sent while they are read. The session and its role are checked again for every 100 rows. If the session has ended or ' +
    'reading fails during the export, the last line begins with `INCOMPLETE:` and the connection is closed before the response is complete. ' +
    'Fields that a spreadsheet would evaluate as a formula start with an apostrophe.',
  errors: ['RATE_LIMITED'],
});

const csvAnswer = (textExample: string) => ({
  200: {
    description: 'One line per row, newest first, in UTF-8 with a byte order mark.',
    contentType: 'text/csv',
    headers: { 'Content-Disposition': 'The name of the file.' },
    textExample,
  },
});

export const exportPayments = api.get('exportPayments', `${EXPORTS}/payments`, {
  summary: 'Export payment intents as CSV',
  credential: listPayments.credential,
  query: paymentExportQuerySchema,
  answers: csvAnswer(CSV_EXAMPLES.payments),
});

export const exportSmsEvents = api.get('exportSmsEvents', `${EXPORTS}/sms`, {
  summary: 'Export SMS as CSV, without their texts',
  credential: listSmsEvents.credential,
  query: smsEventExportQuerySchema,
  answers: csvAnswer(CSV_EXAMPLES.smsEvents),
});

export const exportDeliveries = api.get('exportDeliveries', `${EXPORTS}/webhook-deliveries`, {
  summary: 'Export webhook deliveries as CSV',
  credential: listDeliveries.credential,
  query: deliveryExportQuerySchema,
  answers: csvAnswer(CSV_EXAMPLES.deliveries),
});

export const exportExceptions = api.get('exportExceptions', `${EXPORTS}/exceptions`, {
  summary: 'Export exceptions as CSV',
  credential: listExceptions.credential,
  query: exceptionExportQuerySchema,
  answers: csvAnswer(CSV_EXAMPLES.exceptions),
});
