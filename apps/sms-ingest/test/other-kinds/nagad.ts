import { AT, TIME, type Row } from './row';

export const NAGAD: readonly Row[] = [
  [
    'SEND_MONEY_SENT',
    'OUT',
    `Send Money Successful.\nAmount: Tk 500.00\nReceiver: 01711000851\nRef: N/A\nTxnID: 76OUT001\nFee: Tk 5.00\nBalance: Tk 1200.00\n${AT}`,
    ['500', '5', '1200', '76OUT001', TIME],
  ],
  [
    'CASH_IN_RECEIVED',
    'IN',
    `Cash In Received.\nAmount: Tk 820.00\nUddokta: 01711000852\nTxnID: 76OUT002\nBalance: 2536.00\n${AT}`,
    ['820', null, '2536', '76OUT002', TIME],
  ],
  [
    'CASH_IN_GIVEN',
    'OUT',
    `Cash In Successful.Amount: Tk 3000.00Customer: 01811000853TxnID: 76OUT003Comm: Tk 12.30Balance: Tk 10980.99${AT}`,
    ['3000', null, '10980.99', '76OUT003', TIME],
  ],
  [
    'B2B_RECEIVED',
    'IN',
    `B2B Received. Amount: Tk 3000.00 Sender: 01811000854 TxnID: 76OUT004 Balance: Tk 16202.72 ${AT}`,
    ['3000', null, '16202.72', '76OUT004', TIME],
  ],
  [
    'B2B_SENT',
    'OUT',
    `B2B Transfer Successful. Amount: Tk 3000.00 Receiver: 01811000855 TxnID: 76OUT005 Balance: Tk 43462.02 ${AT}`,
    ['3000', null, '43462.02', '76OUT005', TIME],
  ],
  [
    'PAYMENT_SENT',
    'OUT',
    `Payment to 'Tea House' is Successful.\nAmount: Tk  494.00\nTxnID: 76OUT006\nBalance: Tk 6.00\n${AT}`,
    ['494', null, '6', '76OUT006', TIME],
  ],
  [
    'BILL_PAID',
    'OUT',
    `Your request for TEAGAS Prepaid recharge is accepted.\nAmount: Tk 400.00\nAccount No: 81900857\nFee:3.60\nTxnId: 76OUT007\n${AT}`,
    ['400', '3.6', null, '76OUT007', TIME],
  ],
  [
    'BILL_PAID',
    'OUT',
    `Your request for TEAGAS Prepaid recharge is accepted.Amount: Tk 400.00Account No: 81900857Fee:3.60TxnId: 76OUT077${AT}`,
    ['400', '3.6', null, '76OUT077', TIME],
  ],
  [
    'RECHARGE',
    'OUT',
    `Mobile Recharge Successful.\nAmount: Tk 20.00\nMobile: 01711000858\nTxnID: 76OUT008\nBalance: Tk 5.00\n${AT}`,
    ['20', null, '5', '76OUT008', TIME],
  ],
  [
    'ADD_MONEY',
    'IN',
    `Add Money from Bank is Successful.\nFrom: TEAB\nAmount: Tk 340.0\nTxnID: 76OUT009\nBalance: Tk 345.0\n${AT}`,
    ['340', null, '345', '76OUT009', TIME],
  ],
  [
    'REFUND_RECEIVED',
    'IN',
    `Refund from Tea House\nAmount: Tk 239\nTrnxID: 76OUT010\nBalance:TK 267.70\n${AT}`,
    ['239', null, '267.7', '76OUT010', TIME],
  ],
  [
    'DISBURSEMENT_RECEIVED',
    'IN',
    `Disbursement Received.\nAmount: Tk 1000.00\nTxnID: 76OUT011\nBalance: Tk 1900.00\n${AT}`,
    ['1000', null, '1900', '76OUT011', TIME],
  ],
  [
    'REVERSAL',
    'NONE',
    `Payment Reversal.\nAmount: Tk 100.00\nTxnID: 76OUT012\nBalance: Tk 900.00\n${AT}`,
    ['100', null, '900', '76OUT012', TIME],
  ],
  [
    'CANCELLED',
    'NONE',
    `Your payment of tk2  by Tea House  made on ${AT}  has been cancelled. Balance is added to your account.`,
    ['2', null, null, null, TIME],
  ],
  [
    'CASHBACK_RECEIVED',
    'IN',
    `Congrats! You've received Cashback 20.00 Tk for Mobile Recharge of 30.00 Tk.\n${AT}\nFor Details Call 16167`,
    ['20', null, null, null, TIME],
  ],
  [
    'FAILED',
    'NONE',
    `Money Received.\nFailed.\nAmount: Tk 100.00\nTxnID: 76OUT015\n${AT}`,
    ['100', null, null, '76OUT015', TIME],
  ],
  [
    'OTP',
    'NONE',
    'NEVER share your OTP or PIN with anyone. Nagad will never ask for these.\nYour OTP for Tea payment is 000000.',
    [null, null, null, null, null],
  ],
  [
    'NOTICE',
    'NONE',
    'You have authorized Tea House for payment at 21-Nov-26 11:38 AM.',
    [null, null, null, null, null],
  ],
];

/** What transports and the owner of a wallet do to the texts above. */
export const NAGAD_ODD: readonly Row[] = [
  [
    'SEND_MONEY_SENT',
    'OUT',
    `Send Money Successful.\nAmount: Tk 500.00\nReceiver: 01711000859\nRef: Balance: Tk 9.00 Fee: Tk 1.00\nTxnID: 76OUT018\nFee: Tk 5.00\nBalance: Tk 955.00\n${AT}`,
    ['500', '5', '955', '76OUT018', TIME],
  ],
  [
    'ADD_MONEY',
    'IN',
    `Add Money from Bank is Successful.From: TEABAmount: Tk 340.0TxnID: 76OUT019Balance: Tk 955.0${AT}`,
    ['340', null, '955', '76OUT019', TIME],
  ],
  [
    'ADD_MONEY',
    'IN',
    `Add Money from Card is Successful.From: VISAAmount: Tk 340TxnID: 76OUT020Balance: Tk 955${AT}`,
    ['340', null, '955', '76OUT020', TIME],
  ],
  [
    'BILL_PAID',
    'OUT',
    `Bill Payment to TEAGAS is successful.Amount: Tk 400.00ID: 81900862Fee: 3.60TxnId: 76OUT021Date: ${AT}`,
    ['400', '3.6', null, '76OUT021', TIME],
  ],
  [
    'SEND_MONEY_SENT',
    'OUT',
    `JITUN BARI! nagad.example/bari\nSend Money Successful.\nAmt: Tk 500.00\nReceiver: 01711000863\nRef: Money Received.\nTxnID: 76OUT022\nFee: Tk 5.00\nBal: Tk 955.00\n${AT}`,
    ['500', '5', '955', '76OUT022', TIME],
  ],
  [
    'CASH_IN_RECEIVED',
    'IN',
    `JITUN BARI! nagad.example/bari Cash In Received. Amt:Tk 820.00 Uddokta:01711000864 TxnID:76OUT023 Bal:955.00 ${AT}`,
    ['820', null, '955', '76OUT023', TIME],
  ],
];
