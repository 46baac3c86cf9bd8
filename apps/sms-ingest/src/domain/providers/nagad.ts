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

/** The title of a personal account's text. */
const TITLE = /Money\s{1,4}Received\./;

/** "Money Received. Amount: Tk 20300.00 Sender: 01700000003 Ref: N/A ": labels, in lines, in one line, or with nothing between them. */
const HEAD = new RegExp(`^Money Received\\. ?(?:Amount|Amt): ?Tk ?(${MONEY}) ?Sender: ?(${PAYER})(?: ?Ref: ?(.*)| ?)$`);

/** "TxnID: 73CCCCCC Balance: Tk 20300.32 23/01/2025 20:58". Without line breaks the balance ends after two decimals. */
const TAIL = new RegExp(`^TxnID: ?([0-9A-Z]{8}) ?(?:Balance|Bal): ?Tk ?(${MONEY}) ?${TIME}${AFTER_TIME}$`);

/** What only a Nagad text holds, and no advertising before its title. Example: "Amount:", "Send Money Successful." */
const NAGAD_WORDS =
  /(?:Amount|Amt|Balance|Bal|Sender|Customer|Receiver|Uddokta|Ref|T(?:rx|xn|rnx) ?ID):|Successful|Received|Failed/i;

/** The end of a sentence or of an address. Example: "CLICK NOW nagad.io/jmi", "Eid Mubarak!", not "Add" of "Add Money Received." */
const END_OF_ADVERT = /(?:[.!?]|[^ ]*[./][^ ]*)$/;

/**
 * Money that a personal account was sent. Between the payer's number and the id stands what the payer wrote; a second id label
 * anywhere makes the text ambiguous, since without line breaks nobody can tell which one Nagad wrote.
 */
export function readNagad(text: string): Reading {
  const line = fromTitle(text);
  if (line === undefined) return 'unsupported_format';
  const tailAt = line.indexOf('TxnID:');
  if (tailAt < 0) return 'unsupported_format';

  const head = HEAD.exec(line.slice(0, tailAt));
  if (head === null) return 'unsupported_format';
  if (countTrxIdLabels(line) > 1) return 'ambiguous_text';
  const tail = TAIL.exec(line.slice(tailAt));
  if (tail === null) return 'unsupported_format';

  const reference = referenceIn(head[3]);
  if (reference !== null && holdsMoneyWords(reference)) return 'ambiguous_text';

  const [amount, balance] = [readMoney(head[1]), readMoney(tail[2])];
  const [senderMsisdn, trxId] = [head[2], tail[1]];
  if (!amount || balance === undefined || !senderMsisdn || !trxId) return 'unsupported_format';
  const providerTime = readDhakaTime(tail.slice(3, 8));
  if (providerTime === undefined) return 'impossible_time';

  return {
    kind: 'SEND_MONEY_RECEIVED',
    direction: 'IN',
    paymentMethod: 'NAGAD_SEND_MONEY',
    amount,
    fee: null,
    balance,
    trxId,
    reference,
    senderMsisdn,
    providerTime,
  };
}

/**
 * The text from its title on, in one line. Advertising may stand before the title; in a text that still has its lines the title must then
 * be a line, and in a flattened one it must follow the end of a sentence, or "Add Money Received." would pass for it.
 */
function fromTitle(text: string): string | undefined {
  const at = text.search(TITLE);
  if (at < 0) return undefined;
  const before = text.slice(0, at);
  const advert = foldSpaces(before);
  if (NAGAD_WORDS.test(advert)) return undefined;
  const startsLine = /[\r\n]\s*$/.test(before);
  if (advert !== '' && !startsLine && !END_OF_ADVERT.test(advert)) return undefined;
  return foldSpaces(text.slice(at));
}

function referenceIn(written: string | undefined): string | null {
  const reference = written?.trim() ?? '';
  return reference === '' || reference.toUpperCase() === 'N/A' ? null : reference;
}
