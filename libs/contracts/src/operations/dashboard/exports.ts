import {
  deliveryExportQuerySchema,
  exceptionExportQuerySchema,
  paymentExportQuerySchema,
  smsEventExportQuerySchema,
} from '../../http/exports';
import { operation } from '../operation';
import { service } from './common';
import { listExceptions } from './exceptions';
import { listPayments } from './payments';
import { listSmsEvents } from './sms-events';
import { listDeliveries } from './webhooks';

const tag = 'CSV exports';
const EXPORTS = '/v1/dashboard/exports';
const answers = {
  200: {
    description: 'One line per row, newest first, in UTF-8 with a byte order mark.',
    contentType: 'text/csv',
    headers: { 'Content-Disposition': 'The name of the file.' },
  },
} as const;
const description =
  'Rows are sent while they are read. If reading fails on the way, the connection is closed without the end of the response. Fields that ' +
  'a spreadsheet would evaluate as a formula start with an apostrophe.';

export const exportPayments = operation({
  ...{ id: 'exportPayments', service, method: 'get', path: `${EXPORTS}/payments`, tag, description, answers },
  summary: 'Export payment intents as CSV',
  credential: listPayments.credential,
  query: paymentExportQuerySchema,
  errors: ['RATE_LIMITED'],
});

export const exportSmsEvents = operation({
  ...{ id: 'exportSmsEvents', service, method: 'get', path: `${EXPORTS}/sms`, tag, description, answers },
  summary: 'Export SMS as CSV, without their texts',
  credential: listSmsEvents.credential,
  query: smsEventExportQuerySchema,
  errors: ['RATE_LIMITED'],
});

export const exportDeliveries = operation({
  ...{ id: 'exportDeliveries', service, method: 'get', path: `${EXPORTS}/webhook-deliveries`, tag },
  ...{ description, answers },
  summary: 'Export webhook deliveries as CSV',
  credential: listDeliveries.credential,
  query: deliveryExportQuerySchema,
  errors: ['RATE_LIMITED'],
});

export const exportExceptions = operation({
  ...{ id: 'exportExceptions', service, method: 'get', path: `${EXPORTS}/exceptions`, tag, description, answers },
  summary: 'Export exceptions as CSV',
  credential: listExceptions.credential,
  query: exceptionExportQuerySchema,
  errors: ['RATE_LIMITED'],
});
