import { dashboardOperations, type OperationAnswer } from '@pay/contracts';
import { dailyCloseCsv } from '../domain/daily-close-csv';
import { DELIVERY_COLUMNS, EXCEPTION_COLUMNS, PAYMENT_COLUMNS, SMS_EVENT_COLUMNS } from './columns';

const { exportPayments, exportSmsEvents, exportDeliveries, exportExceptions, getDailyClose } = dashboardOperations;

function namesOf(columns: readonly (readonly [name: string, ...rest: readonly unknown[]])[]): string[] {
  return columns.map(([name]) => name);
}

const noAccounts = { date: '2026-11-20', environment: 'LIVE', accounts: [], asOf: '2026-11-20T18:00:00.000Z' };

test.each<[string, { readonly answers: { readonly 200: OperationAnswer } }, readonly string[]]>([
  ['payments', exportPayments, namesOf(PAYMENT_COLUMNS)],
  ['SMS', exportSmsEvents, namesOf(SMS_EVENT_COLUMNS)],
  ['deliveries', exportDeliveries, namesOf(DELIVERY_COLUMNS)],
  ['exceptions', exportExceptions, namesOf(EXCEPTION_COLUMNS)],
  [
    'the daily close',
    getDailyClose,
    dailyCloseCsv(noAccounts as never)
      .replace('\ufeff', '')
      .trim()
      .split(','),
  ],
])('the CSV example of %s in the API description has the columns of the export', (_name, { answers }, columns) => {
  const [header = '', row = ''] = (answers[200].textExample ?? '').split('\r\n').map((line) => line.split(','));

  expect(header).toEqual(columns);
  expect(row).toHaveLength(columns.length);
});
