import type { PaymentMethod } from '@pay/contracts';
import type { Facts, Money, Reading } from '../parsed-sms';
import {
  AFTER_TIME,
  AMOUNT,
  ANY_MONEY,
  countTrxIdLabels,
  factsOf,
  FROM,
  headingsOf,
  holdsMoneyWords,
  MONEY,
  PAYER,
  readDhakaTime,
  readHeading,
  readMoney,
  TIME,
  TO,
  type Heading,
} from './grammar';
import type { FoldedText } from './normalise';

/** One wording of received money: its beginning, up to the payer's text. */
interface Collected {
  readonly kind: Money['kind'];
  readonly paymentMethod: PaymentMethod;
  readonly head: RegExp;
  /** The optional payer's text between the beginning and the fee. */
  readonly reference: RegExp | null;
}

/** " Ref jazakallah vai. ", "Ref .", glued to the payer's full stop or not. */
const REFERENCE = /^ ?Ref (.{0,500})\. ?$/;
/** "Counter 1." after the reference of a payment at a shop's counter. */
const COUNTER = /\. ?Counter \d{1,6}$/;

const COLLECTED: readonly Collected[] = [
  // "You have received Tk 5,075.00 from 01700000101. Ref tea. "
  {
    kind: 'SEND_MONEY_RECEIVED',
    paymentMethod: 'BKASH_SEND_MONEY',
    head: new RegExp(`^You have received Tk (${MONEY}) from (${PAYER})\\.(.{0,500})$`),
    reference: REFERENCE,
  },
  // "You have received payment Tk 549.00 from 0178XXXX694. Ref inv-2041. Counter 1. "
  {
    kind: 'PAYMENT_RECEIVED',
    paymentMethod: 'BKASH_PAYMENT',
    head: new RegExp(`^You have received payment Tk (${MONEY}) from (${PAYER})\\.(.{0,500})$`),
    reference: REFERENCE,
  },
  // "Cash Out Tk 785.00 from 01800000301 successful. ": "to" instead of "from" is the owner's own cash-out.
  {
    kind: 'CASH_OUT_RECEIVED',
    paymentMethod: 'BKASH_CASHOUT',
    head: new RegExp(`^Cash Out Tk (${MONEY}) from (${PAYER}) successful\\.( ?)$`),
    reference: null,
  },
];

/** "Fee Tk 0.00. Balance Tk 6,075.50. TrxID BLU1H6X87P at 30/12/2024 13:22", and possibly advertising. */
const TAIL = new RegExp(
  `^Fee Tk (${MONEY})\\. ?Balance Tk (${MONEY})\\. ?TrxID ([0-9A-Z]{10}) at ${TIME}${AFTER_TIME}$`,
);

const SOMEBODY = '.{1,100}';
/** A word that starts like a phone number, masked or not, is not a name. */
const NUMBER_BEGINS = String.raw`\+?(?:88)?01[\dXx*]`;
const heading = headingsOf('', 'i');

/** Kinds of texts that are not evidence, by the words before their fee, balance and id. */
const HEADINGS: readonly Heading[] = [
  // The three above in a wording that is not trusted: "Cash Out Tk 500.00 from 01800000301 successful. " before "Comm
  // Tk".
  heading('SEND_MONEY_RECEIVED', 'IN', `You have received Tk ${AMOUNT} from ${FROM}\\.(?: ?Ref (?<ref>.{0,500}))?`),
  heading(
    'PAYMENT_RECEIVED',
    'IN',
    `You have received payment Tk ${AMOUNT} from ${FROM}\\.(?: ?Ref (?<ref>.{0,500}))?`,
  ),
  heading('CASH_OUT_RECEIVED', 'IN', `Cash Out Tk ${AMOUNT} from ${FROM} successful\\.`),
  // "Cash In Tk 2,500.00 from 01900000713 successful." from an agent; "to" is what an agent gave.
  heading('CASH_IN_RECEIVED', 'IN', `Cash In Tk ${AMOUNT} from ${FROM} successful\\.`),
  heading('CASH_IN_GIVEN', 'OUT', `Cash In Tk ${AMOUNT} to ${TO} successful\\.`),
  // "B2B Transfer Tk 2,000.00 to 01700000709 successful."
  heading('B2B_SENT', 'OUT', `B2B Transfer Tk ${AMOUNT} to ${TO} successful\\.`),
  // "Send Money Tk 510.00 to 01800000701 successful. Ref tea."
  heading('SEND_MONEY_SENT', 'OUT', `Send Money Tk ${AMOUNT} to ${TO} successful\\.(?: ?Ref (?<ref>.{0,500})\\.)?`),
  // "Cash Out Tk 100.00 to 01700000001 successful.", "ATM Cash Out Tk 4,000.00 successful."
  heading('CASH_OUT_SENT', 'OUT', `Cash Out Tk ${AMOUNT} to ${TO} successful\\.`),
  heading('CASH_OUT_SENT', 'OUT', `ATM Cash Out (?:of )?Tk ${AMOUNT}(?: from ${SOMEBODY})? (?:is )?successful\\.`),
  // "Payment of Tk 416.00 to TEA HOUSE LTD-RM1 is successful.", "... successful. Ref 7. Counter 1.", "... is being
  // reserved for TEA HOUSE."
  heading(
    'PAYMENT_SENT',
    'OUT',
    `Payment (?:of )?Tk ${AMOUNT} to ${SOMEBODY} (?:is )?successful\\.(?: ?Ref (?<ref>.{0,500})\\.)?`,
  ),
  heading('PAYMENT_RESERVED', 'OUT', `Payment (?:of )?Tk ${AMOUNT} is being reserved for ${SOMEBODY}`),
  // "Reserved amount Tk 385.47 for TEA HOUSE has been released."
  heading('RESERVE_RELEASED', 'IN', `Reserved amount Tk ${AMOUNT}(?: for ${SOMEBODY})? has been released\\.`),
  // "Savings Deposit Payment Tk 500.00 to TEA BANK is successful.", "Congratulations! DPS Payment of Tk 500.00 to ..."
  heading('SAVINGS_PAID', 'OUT', `Savings Deposit Payment (?:of )?Tk ${AMOUNT} to ${SOMEBODY} is successful\\.`),
  heading(
    'SAVINGS_PAID',
    'OUT',
    `(?:Congratulations! )?DPS Payment (?:of )?Tk ${AMOUNT} to ${SOMEBODY} is successful\\.`,
  ),
  // "bKash to Bank of Tk 2,500.00 for VISA Debit Card is successful."
  heading('BANK_TRANSFER_SENT', 'OUT', `bKash to Bank of Tk ${AMOUNT}(?: (?:for|to) ${SOMEBODY})? is successful\\.`),
  // "Your Digital Loan Repayment of Tk 1,500.00 is successful."
  heading('LOAN_REPAID', 'OUT', `Your (?:Digital )?Loan Repayment of Tk ${AMOUNT} is successful\\.`),
  // "You have received Digital Loan Tk 900.00 from Tea Bank." The notice of the same loan changes nothing: "You have
  // received Loan of Tk ..."
  heading('LOAN_RECEIVED', 'IN', `You have received Digital Loan Tk ${AMOUNT} from ${SOMEBODY}\\.`),
  heading('LOAN_RECEIVED', 'NONE', `You have received Loan of Tk ${AMOUNT} from .{1,300}`),
  heading('NOTICE', 'NONE', `Tk ${AMOUNT} will be automatically deducted as Loan .{1,300}`),
  // "You have received Tk 50.00 from Nagad 0133XXX6909 through NPSB."
  heading(
    'INTERBANK_RECEIVED',
    'IN',
    `You have received Tk ${AMOUNT} from [A-Z][A-Za-z ]{1,40} ${FROM} through NPSB\\.`,
  ),
  // "You have received Tk 50.00 from Tea Bank 1234XXXX5678 through NPSB.": an account that is no phone's.
  heading('INTERBANK_RECEIVED', 'IN', `You have received Tk ${AMOUNT} from ${SOMEBODY} through NPSB\\.`),
  // "You have received Tk 40.00 as Commission from TEA1."
  heading('COMMISSION_RECEIVED', 'IN', `You have received Tk ${AMOUNT} as Commission from ${SOMEBODY}\\.`),
  // "You have received Tk 700.00 from TeaCompany.", "... from 10 Minute Tea.com Ltd.": a name, not a number.
  heading('DISBURSEMENT_RECEIVED', 'IN', `You have received Tk ${AMOUNT} from (?!${NUMBER_BEGINS})${SOMEBODY}\\.`),
  heading('CASHBACK_RECEIVED', 'IN', `Congratulations! You have received Cashback (?:of )?Tk ${AMOUNT}\\.`),
  // "You have received a deposit of Tk 1,000.00 from Tea Bank Account.", "... deposit from iBanking of Tk ..."
  heading('ADD_MONEY', 'IN', `You have received (?:a )?deposit (?:from iBanking )?of Tk ${AMOUNT} from ${SOMEBODY}\\.`),
  // "You have received remittance. Total: Tk 4,105.13 Govt. incentive: Tk 100.13"
  heading(
    'REMITTANCE_RECEIVED',
    'IN',
    `You have received remittance\\. ?Total: Tk ${AMOUNT} ?Govt\\. incentive: Tk ${ANY_MONEY}`,
  ),
  heading(
    'REMITTANCE_RECEIVED',
    'IN',
    `Remittance fund withdrawal from ${SOMEBODY} is successful\\. Total amount Tk ${AMOUNT}`,
  ),
  // "Apni bKash-e Tk 0.98 Interest peyechhen."
  heading('INTEREST_RECEIVED', 'IN', `Apni bKash-e Tk ${AMOUNT} Interest peyechhen\\.`),
  // "Received Recharge request of Tk 22.00 for 01500000706." took the money; "Your bKash Mobile Recharge request ...
  // was successful!" only says so.
  heading('RECHARGE', 'OUT', `Received Recharge request of Tk ${AMOUNT} for ${TO}\\.`),
  heading('RECHARGE', 'NONE', `Your bKash Mobile Recharge request of Tk ${AMOUNT} for ${TO} was successful.{0,200}`),
  heading(
    'RECHARGE',
    'NONE',
    `Your bKash Mobile Recharge request of Tk ${AMOUNT} for ending \\d{4} was successful.{0,200}`,
  ),
  // "Sorry, your Send Money request to 01800000701 is unsuccessful! Tk 30 has been returned."
  heading(
    'MONEY_RETURNED',
    'IN',
    `Sorry, your ${SOMEBODY} is unsuccessful! ?Tk ${AMOUNT} has been returned[^.]{0,60}\\.?`,
  ),
  heading('FAILED', 'NONE', `Sorry, your ${SOMEBODY} is unsuccessful!.{0,300}`),
  // "Mobile Recharge request has failed. Tk 11.00 returned to your bKash Account."
  heading(
    'MONEY_RETURNED',
    'IN',
    `[A-Z][A-Za-z ]{1,60} request has failed\\. ?Tk ${AMOUNT} (?:has been )?returned[^.]{0,60}\\.?`,
  ),
  heading('FAILED', 'NONE', `[A-Z][A-Za-z ]{1,60} request has failed\\..{0,300}`),
  heading('FAILED', 'NONE', `(?:Cash Out|Cash In|Send Money|Payment) Tk ${AMOUNT} (?:from|to) ${SOMEBODY} failed\\.`),
  heading('FAILED', 'NONE', `Refund of Tk ${AMOUNT} was unsuccessful\\.`),
  // Refunds to a customer and from a shop are worded alike: the direction is not guessed.
  heading('REFUND', 'NONE', `Refund of Tk ${AMOUNT} .{1,100}`),
  // "Your bKash OTP for PAYMENT of Tk.50.00 to TEA HOUSE is 000000.", "<#> Your bKash verification code is 000000."
  heading(
    'OTP',
    'NONE',
    `(?:<#> |Do NOT share your OTP or PIN with anyone\\. )?Your bKash OTP for [A-Z ]{1,30} of Tk\\.? ?${AMOUNT} to .{1,300}`,
  ),
  heading(
    'OTP',
    'NONE',
    '(?:<#> |Do NOT share your OTP or PIN with anyone\\. )?Your bKash (?:verification code|OTP) .{1,300}',
  ),
  // "Biller: ...", "Your check bill request has been received."
  heading('NOTICE', 'NONE', `Biller: .{1,100} Amount: ${AMOUNT} .{1,200}`),
  heading('NOTICE', 'NONE', 'Your (?:check bill request|Account Binding request|Service Request Number) .{1,400}'),
  heading('NOTICE', 'NONE', `Tk ${AMOUNT} has been sent from ${FROM}\\. To receive the money, open Account .{1,300}`),
  heading('PROMOTION', 'NONE', `Congratulations! You have received a (?:BDT|Tk) ${AMOUNT} Discount coupon .{1,300}`),
  heading('PROMOTION', 'NONE', '[^.]{0,100}(?:cashback offer|discount|T&C apply|TCA).{0,300}'),
];

/** The parts that may follow a heading: each once, in this order. The time may be missing. */
const ANY_TAIL = new RegExp(
  `^(?:Fee Tk (${ANY_MONEY})\\. ?)?(?:Comm Tk (${ANY_MONEY})\\. ?)?(?:Balance Tk (${ANY_MONEY})\\. ?)?` +
    `(?:TrxID:? ([0-9A-Z]{6,12})(?: at ${TIME})?${AFTER_TIME})?$`,
  'i',
);

/**
 * "Bill successfully paid. Biller: TEAGAS MMYYYY/Contact: 012026 A/C: 78000001 Amount: Tk 500.00 Fee: Tk 5.00 TrxID:
 * DHK4MGM1W6 at 20/08/2026 11:20"
 */
const BILL = new RegExp(
  `^Bill successfully paid\\. ?Biller: .{1,200}Amount: Tk (${ANY_MONEY}) ?Fee: Tk (${ANY_MONEY}) ?TrxID: ([0-9A-Z]{10}) at ${TIME}${AFTER_TIME}$`,
);

/** "Your bKash Balance is Tk 500.00 as of 01/01/2024 10:00" */
const BALANCE = new RegExp(`^Your bKash Balance is Tk (${ANY_MONEY}) as of ${TIME}\\.?$`);

/**
 * "You have received Tk 5.00 from TEA1. ... at 09/02/2023 20:42. Cashback on Special Offer": only the advertising
 * tells.
 */
const CASHBACK_AFTER = /\d{2}:\d{2}\.? ?Cashback /;

/**
 * The beginning is parsed from the front and the last tail from the end, because the payer's text between them may
 * imitate either. A second TrxID label makes the text ambiguous.
 */
export function readBkash({ line }: FoldedText): Reading {
  const trxIdAt = line.lastIndexOf('TrxID ');
  const feeAt = trxIdAt < 0 ? -1 : line.lastIndexOf('Fee Tk ', trxIdAt);
  if (feeAt < 0) return otherText(line);

  const [head, tail] = [line.slice(0, feeAt), line.slice(feeAt)];
  for (const wording of COLLECTED) {
    const begun = wording.head.exec(head);
    if (begun !== null) return readCollected(wording, begun, tail, line);
  }
  return otherText(line);
}

function readCollected(wording: Collected, begun: RegExpExecArray, tail: string, line: string): Reading {
  if (countTrxIdLabels(line) > 1) return { reason: 'ambiguous_text', facts: factsOf(wording.kind, 'IN') };
  const [, amountWritten, senderMsisdn = '', between = ''] = begun;
  const ended = TAIL.exec(tail);
  if (ended === null) return { ...otherText(line), reason: 'unsupported_format' };

  const reference = referenceIn(between, wording);
  if (reference === undefined) return { ...otherText(line), reason: 'unsupported_format' };

  const [, feeWritten, balanceWritten, trxId = ''] = ended;
  const [amount, fee, balance] = [readMoney(amountWritten), readMoney(feeWritten), readMoney(balanceWritten)];
  if (!amount || fee === undefined || balance === undefined) return { reason: 'unsupported_format', facts: null };
  const providerTime = readDhakaTime(ended.slice(4, 9));
  const { kind, paymentMethod } = wording;
  const known = { amount, fee, balance, trxId, reference, senderMsisdn };
  if (providerTime === undefined) return { reason: 'impossible_time', facts: factsOf(kind, 'IN', known) };
  if (reference !== null && holdsMoneyWords(reference)) {
    return { reason: 'ambiguous_text', facts: factsOf(kind, 'IN', { ...known, providerTime }) };
  }
  const payerTextAt = begun[0].length - between.length;
  const label = between.indexOf('Ref ');
  return {
    money: {
      kind,
      direction: 'IN',
      paymentMethod,
      ...known,
      commission: null,
      recipientMsisdn: null,
      providerTime,
    },
    frame: `${begun[0].slice(0, payerTextAt)} ${tail}`,
    preface: '',
    payerText: [payerTextAt + (label < 0 ? 0 : label + 'Ref '.length), begun[0].length],
  };
}

/** The payer's text: null if absent, undefined if the words between beginning and tail are not a Ref clause. */
function referenceIn(between: string, { kind, reference }: Collected): string | null | undefined {
  if (between.trim() === '') return null;
  const written = reference?.exec(between)?.[1];
  if (written === undefined) return undefined;
  const own = (kind === 'PAYMENT_RECEIVED' ? written.replace(COUNTER, '') : written).trim();
  return own === '' ? null : own;
}

/** A text that is not evidence: its kind and amounts, never money to be collected. */
function otherText(line: string): {
  reason: 'not_collected' | 'unsupported_format' | 'ambiguous_text';
  facts: Facts | null;
} {
  const whole = readWhole(line);
  if (whole !== undefined) return { reason: 'not_collected', facts: whole };

  const tailAt = beginOfTail(line);
  const found = readHeading(HEADINGS, line.slice(0, tailAt).trimEnd());
  if (found === undefined) return { reason: 'unsupported_format', facts: null };
  if (countTrxIdLabels(line) > 1) return { reason: 'ambiguous_text', facts: factsOf(found.kind, found.direction) };

  const tail = ANY_TAIL.exec(line.slice(tailAt));
  const isIncoming = COLLECTED.some(({ kind }) => kind === found.kind);
  if (tail === null) return { reason: 'unsupported_format', facts: found };
  const isCashback = found.kind === 'DISBURSEMENT_RECEIVED' && CASHBACK_AFTER.test(line);
  const [, fee, commission, balance, trxId] = tail;
  return {
    reason: isIncoming ? 'unsupported_format' : 'not_collected',
    facts: {
      ...found,
      kind: isCashback ? 'CASHBACK_RECEIVED' : found.kind,
      fee: readMoney(fee) ?? null,
      commission: readMoney(commission) ?? null,
      balance: readMoney(balance) ?? null,
      trxId: trxId?.toUpperCase() ?? null,
      providerTime: readDhakaTime(tail.slice(5, 10)) ?? null,
    },
  };
}

function readWhole(line: string): Facts | undefined {
  const bill = BILL.exec(line);
  if (bill !== null) {
    const [, amount, fee, trxId = null] = bill;
    return factsOf('BILL_PAID', 'OUT', {
      amount: readMoney(amount) ?? null,
      fee: readMoney(fee) ?? null,
      trxId,
      providerTime: readDhakaTime(bill.slice(4, 9)) ?? null,
    });
  }
  const balance = BALANCE.exec(line);
  if (balance === null) return undefined;
  return factsOf('BALANCE', 'NONE', {
    balance: readMoney(balance[1]) ?? null,
    providerTime: readDhakaTime(balance.slice(2, 7)) ?? null,
  });
}

/** Start of fee, balance and id, searched from the end; the end of the text if there are none. */
function beginOfTail(line: string): number {
  const lower = line.toLowerCase();
  const trxIdAt = lower.lastIndexOf('trxid');
  const end = trxIdAt < 0 ? lower.length : trxIdAt;
  const balanceAt = lower.lastIndexOf('balance tk ', end);
  const feeAt = lower.lastIndexOf('fee tk ', end);
  const begins = [trxIdAt, balanceAt, feeAt].filter((at) => at >= 0);
  return begins.length === 0 ? line.length : Math.min(...begins);
}
