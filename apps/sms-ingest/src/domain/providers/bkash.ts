import type { Reading } from '../parsed-sms';
import {
  AFTER_TIME,
  countTrxIdLabels,
  foldSpaces,
  holdsMoneyWords,
  MONEY,
  PAYER,
  readDhakaTime,
  readMoney,
  TIME,
} from './grammar';

/** "You have received Tk 5,075.00 from 01700000101. " and then what the payer wrote, if anything. */
const HEAD = new RegExp(`^You have received Tk (${MONEY}) from (${PAYER})\\.(.*)$`);

/** "Fee Tk 0.00. Balance Tk 6,075.50. TrxID BLU1H6X87P at 30/12/2024 13:22", and possibly advertising. */
const TAIL = new RegExp(
  `^Fee Tk (${MONEY})\\. ?Balance Tk (${MONEY})\\. ?TrxID ([0-9A-Z]{10}) at ${TIME}${AFTER_TIME}$`,
);

/** " Ref jazakallah vai. ", "Ref .", glued to the payer's full stop or not. */
const REFERENCE = /^ ?Ref (.*)\. ?$/;

/**
 * Money that a personal account was sent. The head is read from the front and the last tail from the end, because what the payer wrote
 * stands between them and may imitate either; a second TrxID label anywhere makes the text ambiguous.
 */
export function readBkash(text: string): Reading {
  const line = foldSpaces(text);
  const trxIdAt = line.lastIndexOf('TrxID ');
  const tailAt = line.lastIndexOf('Fee Tk ', trxIdAt);
  if (trxIdAt < 0 || tailAt < 0) return 'unsupported_format';

  const head = HEAD.exec(line.slice(0, tailAt));
  if (head === null) return 'unsupported_format';
  if (countTrxIdLabels(line) > 1) return 'ambiguous_text';
  const tail = TAIL.exec(line.slice(tailAt));
  if (tail === null) return 'unsupported_format';

  const reference = referenceIn(head[3] ?? '');
  if (reference === undefined) return 'unsupported_format';
  if (reference !== null && holdsMoneyWords(reference)) return 'ambiguous_text';

  const [amount, fee, balance] = [readMoney(head[1]), readMoney(tail[1]), readMoney(tail[2])];
  const [senderMsisdn, trxId] = [head[2], tail[3]];
  if (!amount || fee === undefined || balance === undefined || !senderMsisdn || !trxId) return 'unsupported_format';
  const providerTime = readDhakaTime(tail.slice(4, 9));
  if (providerTime === undefined) return 'impossible_time';

  return {
    kind: 'SEND_MONEY_RECEIVED',
    direction: 'IN',
    paymentMethod: 'BKASH_SEND_MONEY',
    amount,
    fee,
    balance,
    trxId,
    reference,
    senderMsisdn,
    providerTime,
  };
}

/** What the payer wrote: null for nothing, undefined when the words between head and tail are no Ref clause. */
function referenceIn(between: string): string | null | undefined {
  if (between.trim() === '') return null;
  const written = REFERENCE.exec(between)?.[1]?.trim();
  return written === '' ? null : written;
}
