import type { PaymentMethod, Poisha } from '@pay/contracts';
import type { Facts, Money, Reading } from '../parsed-sms';
import {
  AFTER_TIME,
  AMOUNT,
  ANY_MONEY,
  ANY_NUMBER,
  countTrxIdLabels,
  factsOf,
  findDhakaTime,
  headingsOf,
  holdsMoneyWords,
  MONEY,
  PAYER,
  readDhakaTime,
  readHeading,
  readMoney,
  TIME,
  type Heading,
} from './grammar';
import type { FoldedText } from './normalise';

/** One title of collectable money: the part before the id with amount, payer and reference, and the rest. */
interface Collected {
  readonly kind: Money['kind'];
  readonly paymentMethod: PaymentMethod;
  readonly head: RegExp;
  readonly tail: RegExp;
}

/** "TxnID: 73CCCCCC Balance: Tk 20300.32 23/01/2025 20:58". Without line breaks the balance ends after two decimals. */
const BALANCE_AND_TIME = `(?:Balance|Bal): ?Tk (?<balance>${MONEY}) ?${TIME}${AFTER_TIME}`;
const TAIL = new RegExp(`^TxnID: ?(?<trxId>[0-9A-Z]{8}) ?${BALANCE_AND_TIME}$`);
const TAIL_WITH_COMMISSION = new RegExp(
  `^TxnID: ?(?<trxId>[0-9A-Z]{8}) ?Comm: ?Tk (?<commission>${MONEY}) ?${BALANCE_AND_TIME}$`,
);

const COLLECTED: readonly Collected[] = [
  // "Money Received. Amount: Tk 20300.00 Sender: 01700000003 Ref: N/A ": labels, in lines, in one line, or with nothing
  // between them.
  {
    kind: 'SEND_MONEY_RECEIVED',
    paymentMethod: 'NAGAD_SEND_MONEY',
    head: new RegExp(
      `^Money Received\\. ?(?:Amount|Amt): ?Tk (${MONEY}) ?Sender: ?(${PAYER})(?: ?Ref: ?(.{0,500})| ?)$`,
    ),
    tail: TAIL,
  },
  // "Payment Received. Amount: Tk 50.00 Customer: 01900000501 "
  {
    kind: 'PAYMENT_RECEIVED',
    paymentMethod: 'NAGAD_PAYMENT',
    head: new RegExp(
      `^Payment Received\\. ?(?:Amount|Amt): ?Tk (${MONEY}) ?Customer: ?(${PAYER})(?: ?Ref: ?(.{0,500})| ?)$`,
    ),
    tail: TAIL,
  },
  // "Cash Out Received. Amount: Tk 2100.00 Customer: 01600000601 ": only the title tells it from "Cash In Successful."
  {
    kind: 'CASH_OUT_RECEIVED',
    paymentMethod: 'NAGAD_CASHOUT',
    head: new RegExp(`^Cash Out Received\\. ?(?:Amount|Amt): ?Tk (${MONEY}) ?Customer: ?(${PAYER}) ?()$`),
    tail: TAIL_WITH_COMMISSION,
  },
];

/** A title: of money that can be collected, or of another text that advertising may precede as well. */
const TITLE =
  /(?:Money|Payment|Cash Out|Cash In|B2B|Disbursement|Remittance)[ \n]Received\.|(?:Send Money|Cash In|Cash Out|B2B Transfer|Mobile Recharge)[ \n]Successful\./;

/**
 * Words that occur only in a Nagad text, and not in advertising before its title. Texts with the name of a shop are
 * among them: such a name may imitate a title. Examples: "Amount:", "Send Money Successful.", "Your One Time Password
 * (OTP) for Tea. Money Received."
 */
const NAGAD_WORDS =
  /(?:Amount|Amt|Balance|Bal|Sender|Customer|Receiver|Uddokta|Ref|T(?:rx|xn|rnx) ?ID):|Successful|Received|Failed|\bOTP\b|One Time Password|Any Code|authori[sz]ed|have won|Your (?:payment|request)\b/i;

/**
 * The end of a sentence or of an address. Example: "CLICK NOW nagad.io/jmi", "Eid Mubarak!", not "Add" of "Add Money
 * Received."
 */
const END_OF_ADVERT = /(?:[.!?]|[./][^ ]{0,100})$/;

const ANYTHING = '.{0,600}';
const AMOUNT_LABEL = '(?:Amount|Amt):';
const heading = headingsOf('');

/** Kinds of texts that are no evidence, by their titles; amounts follow labels and are read separately. */
const HEADINGS: readonly Heading[] = [
  // The three above in a wording that is not trusted: without a balance, say.
  heading('SEND_MONEY_RECEIVED', 'IN', `Money Received\\. ?${AMOUNT_LABEL}${ANYTHING}`),
  heading('PAYMENT_RECEIVED', 'IN', `Payment Received\\. ?${AMOUNT_LABEL}${ANYTHING}`),
  heading('CASH_OUT_RECEIVED', 'IN', `Cash Out Received\\. ?${AMOUNT_LABEL}${ANYTHING}`),
  // "Payment - Bangla QR Successfully Received. Amount: Tk 1.00 Txn ID: 0001U735": no payer, and an id of another kind.
  heading('PAYMENT_RECEIVED', 'IN', `Payment - Bangla QR Successfully Received\\. ?${AMOUNT_LABEL}${ANYTHING}`),
  // "Cash In Received." from an Uddokta; "Cash In Successful." is what an agent gave.
  heading('CASH_IN_RECEIVED', 'IN', `Cash In Received\\. ?${AMOUNT_LABEL}${ANYTHING}`),
  heading('CASH_IN_GIVEN', 'OUT', `Cash In Successful\\. ?${AMOUNT_LABEL}${ANYTHING}`),
  // "B2B Received. ... Sender: ...", "B2B Transfer Successful. ... Receiver: ..."
  heading('B2B_RECEIVED', 'IN', `B2B Received\\. ?${AMOUNT_LABEL}${ANYTHING}`),
  heading('B2B_SENT', 'OUT', `B2B Transfer Successful\\. ?${AMOUNT_LABEL}${ANYTHING}`),
  // "Send Money Successful. Amount: Tk 500.00 Receiver: 01700000806 Ref: N/A TxnID: 75WA0001 Fee: Tk 5.00 Balance: Tk
  // 1200.00 ..."
  heading('SEND_MONEY_SENT', 'OUT', `Send Money Successful\\. ?${AMOUNT_LABEL}${ANYTHING}`),
  // "Cash Out Successful. ..." is the owner's own.
  heading('CASH_OUT_SENT', 'OUT', `Cash Out Successful\\. ?${AMOUNT_LABEL}${ANYTHING}`),
  // "Payment to 'Tea House' is Successful. Amount: Tk 494.00 ..."
  heading('PAYMENT_SENT', 'OUT', `Payment to .{1,100} is [Ss]uccessful\\. ?${AMOUNT_LABEL}${ANYTHING}`),
  // "Bill Payment to TEAGAS is successful. ...", "Your request for TEAGAS Prepaid recharge is accepted. ..."
  heading('BILL_PAID', 'OUT', `Bill Payment to .{1,100} is [Ss]uccessful\\. ?${AMOUNT_LABEL}${ANYTHING}`),
  heading('BILL_PAID', 'OUT', `Your request for .{1,100} is accepted\\. ?${AMOUNT_LABEL}${ANYTHING}`),
  // "Mobile Recharge Successful. Amount: Tk 20.00 Mobile: 01700000005 ..."
  heading('RECHARGE', 'OUT', `Mobile Recharge Successful\\. ?${AMOUNT_LABEL}${ANYTHING}`),
  // "Add Money from Bank is Successful. From: TEAB Amount: Tk 340.0 ..."
  heading('ADD_MONEY', 'IN', `Add Money from .{1,60} is Successful\\. ?${ANYTHING}`),
  // "Refund from Tea House Amount: Tk 239 TrnxID: ... Balance:TK 267.70 ..."
  heading('REFUND_RECEIVED', 'IN', `Refund from .{1,100}${AMOUNT_LABEL}${ANYTHING}`),
  heading('DISBURSEMENT_RECEIVED', 'IN', `Disbursement Received\\. ?${AMOUNT_LABEL}${ANYTHING}`),
  heading('REMITTANCE_RECEIVED', 'IN', `Remittance Received\\. ?${AMOUNT_LABEL}${ANYTHING}`),
  // Whose payment was reversed is not said: the direction is not guessed.
  heading('REVERSAL', 'NONE', `Payment Reversal\\. ?${AMOUNT_LABEL}${ANYTHING}`),
  heading('FAILED', 'NONE', `(?:Money|Payment|Cash Out|Cash In|B2B) Received\\. ?Failed\\. ?${ANYTHING}`),
  // "Your payment of tk2 by Tea House made on 27/10/2024 14:05 has been cancelled. Balance is added to your account."
  heading('CANCELLED', 'NONE', `Your payment of [Tt]k ?${AMOUNT} .{1,200} has been cancelled\\.${ANYTHING}`),
  // "Congrats! You've received Cashback 20.00 Tk for ...", "Congrats! You have won cashback Tk 79.00 for ..."
  heading('CASHBACK_RECEIVED', 'IN', `Congrats! You've received Cashback ${AMOUNT} Tk for ${ANYTHING}`),
  heading('CASHBACK_RECEIVED', 'IN', `Congrats! You have won [Cc]ashback Tk ${AMOUNT} for ${ANYTHING}`),
  heading('CASHBACK_RECEIVED', 'IN', `Congrats! You have received BDT ${AMOUNT} for ${ANYTHING}`),
  // "Your One Time Password (OTP) for ...", "NEVER share your OTP or PIN ...", "Never Share Any Code. ..."
  heading('OTP', 'NONE', `Your One Time Password \\(OTP\\) ${ANYTHING}`),
  heading('OTP', 'NONE', `(?:NEVER|Never) (?:share your OTP|Share Any Code)${ANYTHING}`),
  heading('NOTICE', 'NONE', `You have authorized .{1,100} for payment ${ANYTHING}`),
];

/**
 * Amounts in other texts, each after its label, in several spellings. Case is ignored: "Balance:TK 267.70".
 */
const LABELLED = {
  amount: new RegExp(`(?:Amount|Amt): ?Tk ?(${ANY_MONEY})`, 'i'),
  fee: new RegExp(`Fee: ?(?:Tk ?)?(${ANY_MONEY})`, 'i'),
  commission: new RegExp(`Comm: ?(?:Tk ?)?(${ANY_MONEY})`, 'i'),
  // Where the line break was lost the date follows immediately: "110060.8121/01/2023", "345.021/01/2023".
  balance:
    /(?:Balance|Bal): ?(?:Tk ?)?((?:\d{1,3}(?:,\d{3}){1,3}|\d{1,9})(?:\.\d{1,2})?)(?=\d\d\/\d\d\/\d{4}|[^\d/]|$)/i,
  trxId: /T(?:xn|rnx) ?I[Dd]: ?([0-9A-Z]{8,9}?)(?=\d\d\/\d\d\/\d{4}|Comm:|Balance:|Bal:|Fee:|Date:|[^0-9A-Za-z]|$)/,
  from: new RegExp(`(?:Sender|Customer|Uddokta): ?(${ANY_NUMBER})`),
  to: new RegExp(`(?:Receiver|Customer|Mobile|Uddokta): ?(${ANY_NUMBER})`),
  reference: /Ref: ?(.{0,500}?) ?(?=T(?:xn|rnx) ?ID:)/,
} as const;
/** Free text: labels in it say nothing. */
const REFERENCE = new RegExp(LABELLED.reference, 'g');

/**
 * The words of the payer are between the payer's number and the id; a second id label anywhere makes the text
 * ambiguous, since without line breaks it is unknown which one Nagad wrote.
 */
export function readNagad(text: FoldedText): Reading {
  const titleAt = findTitle(text);
  const line = titleAt === undefined ? undefined : text.line.slice(titleAt);
  const tailAt = line?.indexOf('TxnID:') ?? -1;
  if (line === undefined || tailAt < 0) return otherText(line ?? text.line);

  const [head, tail] = [line.slice(0, tailAt), line.slice(tailAt)];
  for (const wording of COLLECTED) {
    const begun = wording.head.exec(head);
    if (begun !== null) return readCollected(wording, begun, tail, text.line, line);
  }
  return otherText(line);
}

function readCollected(
  { kind, paymentMethod, tail }: Collected,
  begun: RegExpExecArray,
  tailText: string,
  wholeText: string,
  line: string,
): Reading {
  if (countTrxIdLabels(wholeText) > 1) return { reason: 'ambiguous_text', facts: factsOf(kind, 'IN') };
  const ended = tail.exec(tailText);
  if (ended?.groups === undefined) return { ...otherText(line), reason: 'unsupported_format' };

  const [, amountWritten, senderMsisdn = '', written = ''] = begun;
  const reference = referenceIn(written);
  const { trxId = '', commission: commissionWritten, balance: balanceWritten } = ended.groups;
  const [amount, balance] = [readMoney(amountWritten), readMoney(balanceWritten)];
  if (!amount || balance === undefined) return { reason: 'unsupported_format', facts: null };
  const known = {
    amount,
    balance,
    trxId,
    reference,
    senderMsisdn,
    commission: readMoney(commissionWritten) ?? null,
    fee: null,
  };
  const providerTime = readDhakaTime(ended.slice(-5));
  if (providerTime === undefined) return { reason: 'impossible_time', facts: factsOf(kind, 'IN', known) };
  if (reference !== null && holdsMoneyWords(reference)) {
    return { reason: 'ambiguous_text', facts: factsOf(kind, 'IN', { ...known, providerTime }) };
  }
  const beforeReference = begun[0].slice(0, begun[0].length - written.length);
  const preface = wholeText.slice(0, wholeText.length - line.length);
  const payerTextAt = preface.length + beforeReference.length;
  return {
    money: { kind, direction: 'IN', paymentMethod, ...known, recipientMsisdn: null, providerTime },
    frame: `${beforeReference}${written === '' ? '' : ' '}${tailText}`,
    preface,
    payerText: [payerTextAt, payerTextAt + written.length],
  };
}

/**
 * Where the text begins with its title. Advertising may precede the title; in a text that still has its lines the
 * title must then be a line, and in a flattened one it must follow the end of a sentence, or "Add Money Received."
 * would pass for it.
 */
function findTitle({ lines }: FoldedText): number | undefined {
  const at = lines.search(TITLE);
  if (at < 0) return undefined;
  const before = lines.slice(0, at);
  if (NAGAD_WORDS.test(before)) return undefined;
  const isFirstOfItsLine = before === '' || before.endsWith('\n');
  if (!isFirstOfItsLine && !END_OF_ADVERT.test(before.trimEnd())) return undefined;
  return at;
}

function referenceIn(written: string): string | null {
  const reference = written.trim();
  return reference === '' || reference.toUpperCase() === 'N/A' ? null : reference;
}

/** A text that is not evidence: its kind and amounts, never money to be collected. */
function otherText(line: string): { reason: 'not_collected' | 'unsupported_format'; facts: Facts | null } {
  const found = readHeading(HEADINGS, line);
  if (found === undefined) return { reason: 'unsupported_format', facts: null };
  const isIncoming = COLLECTED.some(({ kind }) => kind === found.kind);
  const reason = isIncoming ? 'unsupported_format' : 'not_collected';
  // With two ids it is ambiguous which amounts belong to which.
  if (countTrxIdLabels(line) > 1) return { reason, facts: factsOf(found.kind, found.direction) };

  const frame = line.replace(REFERENCE, '');
  const written = (label: keyof typeof LABELLED): string | undefined =>
    LABELLED[label].exec(label === 'reference' ? line : frame)?.[1];
  const money = (label: 'amount' | 'fee' | 'commission' | 'balance'): Poisha | null =>
    readMoney(written(label)) ?? null;
  return {
    reason,
    facts: {
      ...found,
      amount: found.amount ?? money('amount'),
      fee: money('fee'),
      commission: money('commission'),
      balance: money('balance'),
      trxId: written('trxId') ?? null,
      reference: referenceIn(written('reference') ?? ''),
      senderMsisdn: found.direction === 'OUT' ? null : (written('from') ?? null),
      recipientMsisdn: found.direction === 'OUT' ? (written('to') ?? null) : null,
      providerTime: findDhakaTime(frame) ?? null,
    },
  };
}
