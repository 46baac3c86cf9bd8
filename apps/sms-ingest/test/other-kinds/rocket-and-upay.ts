import { AT, TIME, type Row } from './row';

export const ROCKET: readonly Row[] = [
  [
    'SEND_MONEY_RECEIVED',
    'IN',
    'Tk1,480.00 received from A/C:***871 Fee:Tk0, Your A/C Balance: Tk12,056.92 TxnId:6790000871 Date:21-NOV-26 03:01:30 pm.',
    ['1480', '0', '12056.92', '6790000871', TIME],
  ],
  [
    'PAYMENT_RECEIVED',
    'IN',
    'Tk.20.00 received from A/C:***872 Ref No: NA Fee: Tk.00 NetBal: Tk41.00 TxnId: 6790000872 Date:21-NOV-26 03:01:16 pm.',
    ['20', '0', '41', '6790000872', TIME],
  ],
  [
    'PAYMENT_RECEIVED',
    'IN',
    'Tk.84 received from A/C:***873 Ref No: NA Fee: Tk.00 NetBal: Tk41.00 TxnId: 6790000873 Date:21-NOV-26 12:00:00 am.',
    ['0.84', '0', '41', '6790000873', '2026-11-21T00:00'],
  ],
  [
    'PAYMENT_RECEIVED',
    'IN',
    'Tk.20.00 received from A/C:***876 Ref No: NetBal: Tk9.00 Fee: Tk.00 NetBal: Tk41.00 TxnId: 6790000876 Date:21-NOV-26 03:01:16 pm.',
    ['20', '0', '41', '6790000876', TIME],
  ],
  [
    'SEND_MONEY_RECEIVED',
    'IN',
    'Tk1,480.00 received from A/C:***877 Fee:Tk0, Your A/C Balance: Tk12',
    ['1480', '0', null, null, null],
  ],
  [
    'CASH_OUT_RECEIVED',
    'IN',
    'Cash-Out from A/C: ***874 Tk2,009.00 Comm:Tk8.43; A/C Balance: Tk87,455.82.TxnId: 6790000874 Date:21-NOV-26 03:01:00 pm.',
    ['2009', null, '87455.82', '6790000874', TIME],
  ],
  [
    'CASH_IN_GIVEN',
    'OUT',
    'B2C: Cash-In to A/C: 017110008751 Tk300.00 Comm:Tk1.26;, Your A/C Balance: Tk900.00 TxnId: 6790000875 Date:21-NOV-26 03:01:00 pm.',
    ['300', null, '900', '6790000875', TIME],
  ],
];

export const UPAY: readonly Row[] = [
  [
    'CASH_OUT_RECEIVED',
    'IN',
    `You have received Cash-out of Tk. 3940.00 from 01511000881. Comm: TK. 16.1343. Balance Tk. 6568.82. TrxID 01KAJH4GET at ${AT}.`,
    ['3940', null, '6568.82', '01KAJH4GET', TIME],
  ],
  [
    'SEND_MONEY_RECEIVED',
    'IN',
    `Tk. 900.00 has been received from 01511000882. Ref-tea. Balance Tk. 1900.00. TrxID 01KAJH4GEV at ${AT}`,
    ['900', null, '1900', '01KAJH4GEV', TIME],
  ],
  [
    'SEND_MONEY_RECEIVED',
    'IN',
    `Tk. 900.00 has been received from 01511000885. Ref-Balance Tk. 5.00. Balance Tk. 1900.00. TrxID 01KAJH4GEY at ${AT}`,
    ['900', null, '1900', '01KAJH4GEY', TIME],
  ],
  [
    'PAYMENT_RECEIVED',
    'IN',
    'Received Payment of Tk.1.00 from 01711000883... TrxID 01KAJH4GEW',
    ['1', null, null, '01KAJH4GEW', null],
  ],
  [
    'SEND_MONEY_SENT',
    'OUT',
    `Send money of Tk. 100.00 to 01711000884 is successful. Fee Tk. 0.0. Balance Tk. 800.00. Ref-. TrxID 01KAJH4GEX at ${AT}.`,
    ['100', '0', '800', '01KAJH4GEX', TIME],
  ],
];
