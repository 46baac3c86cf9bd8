import { formatAmount, RECOGNISED_SMS_KINDS, type RecognisedSmsKind, type SmsDirection } from '@pay/contracts';
import { parseSms } from '../parse-sms';

const senderIds = {
  ...{ BKASH: ['bKash'], NAGAD: ['NAGAD'], ROCKET: ['16216'], UPAY: ['upay'] },
  notices: { BKASH: ['16247'] },
};

/** Amount, fee, balance, id, Bangladesh time: null for what the text does not say. */
type Said = [string | null, string | null, string | null, string | null, string | null];
type Row = [kind: RecognisedSmsKind, direction: SmsDirection, text: string, said: Said];

const AT = '21/11/2026 15:01';
const TIME = '2026-11-21T15:01';

const BKASH: readonly Row[] = [
  [
    'SEND_MONEY_SENT',
    'OUT',
    `Send Money Tk 510.00 to 01811000801 successful. Ref Karim. Fee Tk 5.00. Balance Tk 4,479.65. TrxID DKL4OUT001 at ${AT}`,
    ['510', '5', '4479.65', 'DKL4OUT001', TIME],
  ],
  [
    'CASH_IN_RECEIVED',
    'IN',
    `Cash In Tk 2,500.00 from 01911000802 successful. Fee Tk 0.00. Balance Tk 2,513.77. TrxID DKL4OUT002 at ${AT}. Download App: https://bKa.sh/8app`,
    ['2500', '0', '2513.77', 'DKL4OUT002', TIME],
  ],
  [
    'CASH_IN_RECEIVED',
    'IN',
    `cash in tk 1,020.00 from 01711000803 successful. fee tk 0.00. balance tk 8,698.49. trxid 7121000803 at 27/04/2017 16:58`,
    ['1020', '0', '8698.49', '7121000803', '2017-04-27T16:58'],
  ],
  [
    'CASH_IN_GIVEN',
    'OUT',
    `Cash In Tk 1,000.00 to 01711000804 successful. Fee Tk 0.00. Balance Tk 5,000.00. TrxID DKL4OUT004 at ${AT}`,
    ['1000', '0', '5000', 'DKL4OUT004', TIME],
  ],
  [
    'B2B_SENT',
    'OUT',
    `B2B Transfer Tk 2,000.00 to 01711000805 successful. Fee Tk 0.00. Balance Tk 7,521.24. TrxID DKL4OUT005 at ${AT}`,
    ['2000', '0', '7521.24', 'DKL4OUT005', TIME],
  ],
  [
    'CASH_OUT_SENT',
    'OUT',
    `Cash Out Tk 100.00 to 01711000806 successful. Fee Tk 1.85. Balance Tk 108.85. TrxID DKL4OUT006 at ${AT}`,
    ['100', '1.85', '108.85', 'DKL4OUT006', TIME],
  ],
  [
    'CASH_OUT_SENT',
    'OUT',
    `ATM Cash Out Tk 4,000.00 successful. Fee Tk 28.00. Balance Tk 4,508.43. TrxID DKL4OUT007 at ${AT}`,
    ['4000', '28', '4508.43', 'DKL4OUT007', TIME],
  ],
  [
    'PAYMENT_SENT',
    'OUT',
    `Payment of Tk 416.00 to TEA HOUSE LTD-RM1 is successful. Balance Tk 14,077.66. TrxID DKL4OUT008 at ${AT}`,
    ['416', null, '14077.66', 'DKL4OUT008', TIME],
  ],
  [
    'PAYMENT_RESERVED',
    'OUT',
    `Payment of Tk 385.47 is being reserved for TEA RIDES. Balance Tk 141.72. TrxID DKL4OUT009 at ${AT}`,
    ['385.47', null, '141.72', 'DKL4OUT009', TIME],
  ],
  [
    'RESERVE_RELEASED',
    'IN',
    `Reserved amount Tk 385.47 for TEA RIDES has been released. Balance Tk 527.19. TrxID DKL4OUT010 at ${AT}`,
    ['385.47', null, '527.19', 'DKL4OUT010', TIME],
  ],
  [
    'SAVINGS_PAID',
    'OUT',
    `Savings Deposit Payment Tk 500.00 to TEABANK is successful. Balance Tk 155.75. TrxID DKL4OUT011 at ${AT}`,
    ['500', null, '155.75', 'DKL4OUT011', TIME],
  ],
  [
    'BANK_TRANSFER_SENT',
    'OUT',
    `bKash to Bank of Tk 2,500.00 for VISA Debit Card is successful. Fee Tk 31.25. Balance Tk 72.73. TrxID DKL4OUT012 at ${AT}`,
    ['2500', '31.25', '72.73', 'DKL4OUT012', TIME],
  ],
  [
    'LOAN_REPAID',
    'OUT',
    `Your Digital Loan Repayment of Tk 1,500.00 is successful. Balance Tk 2,000.00. TrxID DKL4OUT013 at ${AT}`,
    ['1500', null, '2000', 'DKL4OUT013', TIME],
  ],
  [
    'LOAN_RECEIVED',
    'IN',
    `You have received Digital Loan Tk 900.00 from Tea Bank. Balance Tk 897.98. TrxID DKL4OUT014 at ${AT}.`,
    ['900', null, '897.98', 'DKL4OUT014', TIME],
  ],
  [
    'LOAN_RECEIVED',
    'NONE',
    'You have received Loan of Tk 900.00 from Tea Bank in your bKash Account. Your first repayment of TK 309.28 is due on 28/12/2026.',
    ['900', null, null, null, null],
  ],
  [
    'INTERBANK_RECEIVED',
    'IN',
    `You have received Tk 50.00 from Nagad 0133XXX6809 through NPSB. Fee Tk 0.00. Balance Tk 74.21. TrxID DKL4OUT016 at ${AT}.`,
    ['50', '0', '74.21', 'DKL4OUT016', TIME],
  ],
  [
    'DISBURSEMENT_RECEIVED',
    'IN',
    `You have received Tk 700.00 from TeaCompany. Balance Tk 955.00. TrxID DKL4OUT017 at ${AT}`,
    ['700', null, '955', 'DKL4OUT017', TIME],
  ],
  [
    'DISBURSEMENT_RECEIVED',
    'IN',
    `You have received Tk 700.00 from 10 Minute Tea.com Ltd. Balance Tk 955.00. TrxID DKL4OUT038 at ${AT}`,
    ['700', null, '955', 'DKL4OUT038', TIME],
  ],
  [
    'INTERBANK_RECEIVED',
    'IN',
    `You have received Tk 50.00 from Tea Bank 1234XXXX5678 through NPSB. Fee Tk 0.00. Balance Tk 955.00. TrxID DKL4OUT039 at ${AT}.`,
    ['50', '0', '955', 'DKL4OUT039', TIME],
  ],
  [
    'PAYMENT_SENT',
    'OUT',
    `Payment Tk 100.00 to 01711000840 successful. Ref inv 1. Counter 1. Fee Tk 0.00. Balance Tk 955.00. TrxID DKL4OUT040 at ${AT}`,
    ['100', '0', '955', 'DKL4OUT040', TIME],
  ],
  [
    'CASH_OUT_SENT',
    'OUT',
    `ATM Cash Out Tk 4,000.00 from Tea Bank ATM is successful. Fee Tk 28.00. Balance Tk 955.00. TrxID DKL4OUT041 at ${AT}`,
    ['4000', '28', '955', 'DKL4OUT041', TIME],
  ],
  [
    'COMMISSION_RECEIVED',
    'IN',
    `You have received Tk 5.00 as Commission from DM4071. Fee Tk 0.00. Balance Tk 905.00. TrxID DKL4OUT018 at ${AT}`,
    ['5', '0', '905', 'DKL4OUT018', TIME],
  ],
  [
    'CASHBACK_RECEIVED',
    'IN',
    `You have received Tk 5.00 from DM4071. Fee Tk 0.00. Balance Tk 905.00. TrxID DKL4OUT019 at ${AT}. Cashback on Special Offer`,
    ['5', '0', '905', 'DKL4OUT019', TIME],
  ],
  [
    'CASHBACK_RECEIVED',
    'IN',
    `Congratulations! You have received Cashback Tk 2.90. Balance Tk 1,027.11. TrxID DKL4OUT020 at ${AT}. Cashback on Loan!`,
    ['2.9', null, '1027.11', 'DKL4OUT020', TIME],
  ],
  [
    'ADD_MONEY',
    'IN',
    `You have received a deposit of Tk 1,000.00 from Tea Bank Account. Fee Tk 0.00. Balance Tk 1,140.34. TrxID DKL4OUT021 at ${AT}`,
    ['1000', '0', '1140.34', 'DKL4OUT021', TIME],
  ],
  [
    'ADD_MONEY',
    'IN',
    `You have received deposit from iBanking of Tk 870.00 from Tea Bank Internet Banking. Fee Tk 0.00. Balance Tk 1,121.79. TrxID DKL4OUT022 at ${AT}`,
    ['870', '0', '1121.79', 'DKL4OUT022', TIME],
  ],
  [
    'REMITTANCE_RECEIVED',
    'IN',
    `You have received remittance.\nTotal: Tk 4,105.13\nGovt. incentive: Tk 100.13\nTrxID DKL4OUT023 at ${AT}.`,
    ['4105.13', null, null, 'DKL4OUT023', TIME],
  ],
  [
    'INTEREST_RECEIVED',
    'IN',
    `Apni bKash-e Tk 0.98 Interest peyechhen. Fee Tk 0.00. Balance Tk 1,650.98. TrxID DKL4OUT024 at ${AT}. Helpline 16247`,
    ['0.98', '0', '1650.98', 'DKL4OUT024', TIME],
  ],
  [
    'RECHARGE',
    'OUT',
    `Received Recharge request of Tk 22.00 for 01511000825. Fee Tk 0.00. Balance Tk 9,028.17. TrxID DKL4OUT025 at ${AT}. Wait for confirmation.`,
    ['22', '0', '9028.17', 'DKL4OUT025', TIME],
  ],
  [
    'RECHARGE',
    'NONE',
    'Your bKash Mobile Recharge request of Tk 22.00 for 01511000825 was successful! Use bKash App for convenience & offers! TCA',
    ['22', null, null, null, null],
  ],
  [
    'MONEY_RETURNED',
    'IN',
    `Mobile Recharge request has failed. Tk 11.00 returned to your bKash Account. Balance Tk 766.08. TrxID DKL4OUT027 at ${AT}`,
    ['11', null, '766.08', 'DKL4OUT027', TIME],
  ],
  [
    'MONEY_RETURNED',
    'IN',
    `Sorry, your Send Money request to 01811000801 is unsuccessful! Tk 30 has been returned. Balance Tk 96.00. TrxID DKL4OUT028 at ${AT}`,
    ['30', null, '96', 'DKL4OUT028', TIME],
  ],
  [
    'FAILED',
    'NONE',
    'Cash Out Tk 500.00 from 01811000829 failed. Balance Tk 25,842.55.',
    ['500', null, '25842.55', null, null],
  ],
  [
    'REFUND',
    'NONE',
    `Refund of Tk 75.00 to 01811000830 successful. Balance Tk 925.00. TrxID DKL4OUT030 at ${AT}`,
    ['75', null, '925', 'DKL4OUT030', TIME],
  ],
  ['BALANCE', 'NONE', `Your bKash Balance is Tk 500.00 as of ${AT}`, [null, null, '500', null, TIME]],
  [
    'OTP',
    'NONE',
    'Do NOT share your OTP or PIN with anyone. Your bKash OTP for PAYMENT of Tk.50.00 to Tea House_01611000832 is 000000. Expires in 2 min.',
    ['50', null, null, null, null],
  ],
  [
    'OTP',
    'NONE',
    '<#> Your bKash verification code is 000000. It expires in 2 minutes.',
    [null, null, null, null, null],
  ],
  [
    'NOTICE',
    'NONE',
    'Your Account Binding request for TEA HOUSE is successful. You have authorized TEA HOUSE to debit your account for future purchases.',
    [null, null, null, null, null],
  ],
  [
    'NOTICE',
    'NONE',
    'Tk 200.00 has been sent from 01811000835. To receive the money, open Account from bKash App within 31/12/2026 11:11.',
    ['200', null, null, null, null],
  ],
  ['PROMOTION', 'NONE', 'Cash Out with 5% cashback offer this Eid! T&C apply.', [null, null, null, null, null]],
  [
    'BILL_PAID',
    'OUT',
    `Bill successfully paid.\nBiller: TEAGAS \nMMYYYY/Contact: 01711000837\nA/C: 78000837 \nAmount: Tk 500.00 \nFee: Tk 5.00 \nTrxID: DKL4OUT037 at ${AT}`,
    ['500', '5', null, 'DKL4OUT037', TIME],
  ],
];

const NAGAD: readonly Row[] = [
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
const NAGAD_ODD: readonly Row[] = [
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

const ROCKET: readonly Row[] = [
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

const UPAY: readonly Row[] = [
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

const ALL = [
  ...BKASH.map((row) => ['bKash', ...row] as const),
  ...[...NAGAD, ...NAGAD_ODD].map((row) => ['NAGAD', ...row] as const),
  ...ROCKET.map((row) => ['16216', ...row] as const),
  ...UPAY.map((row) => ['upay', ...row] as const),
];

describe('a text that is no evidence', () => {
  it.each(ALL)('of %s is recognised as %s, %s: %s', (sender, kind, direction, message, said) => {
    const parsed = parseSms({ sender, message }, senderIds);

    if (parsed.status === 'PARSED') throw new Error('taken for evidence');
    const { reason, facts } = parsed;
    const money = (amount: bigint | null | undefined) => (typeof amount === 'bigint' ? formatAmount(amount) : null);
    expect({ reason, kind: facts?.kind, direction: facts?.direction }).toEqual({
      reason: 'not_collected',
      kind,
      direction,
    });
    expect([money(facts?.amount), money(facts?.fee), money(facts?.balance), facts?.trxId, facts?.providerTime]).toEqual(
      [...said.slice(0, 4), said[4] === null ? null : new Date(`${said[4]}:00+06:00`)],
    );
  });

  it.each(ALL)(
    'of %s, %s, %s, is none either when another provider is said to have sent it: %s',
    (sender, _k, _d, message) => {
      const others = ['bKash', 'NAGAD'].filter((other) => other !== sender);
      expect(others.map((other) => parseSms({ sender: other, message }, senderIds).status)).not.toContain('PARSED');
    },
  );

  it('is of nearly every kind there is', () => {
    const seen = new Set<string>(ALL.map(([, kind]) => kind));
    expect(RECOGNISED_SMS_KINDS.filter((kind) => !seen.has(kind))).toEqual([]);
  });

  it('contains payer and payee', () => {
    const sent = parseSms({ sender: 'bKash', message: BKASH[0]![2] }, senderIds);
    const received = parseSms({ sender: 'NAGAD', message: NAGAD[3]![2] }, senderIds);

    expect(sent).toMatchObject({ facts: { senderMsisdn: null, recipientMsisdn: '01811000801', reference: 'Karim' } });
    expect(received).toMatchObject({ facts: { senderMsisdn: '01811000854', recipientMsisdn: null, reference: null } });
  });
});
