import type { Refusal } from '../parsed-sms';
import {
  AMOUNT,
  ANY_MONEY,
  findDhakaTime,
  FROM,
  headingsOf,
  readHeading,
  readLabels,
  TO,
  type Heading,
} from './grammar';
import type { FoldedText } from './normalise';

const heading = headingsOf('.{0,600}');

const HEADINGS: readonly Heading[] = [
  // "You have received Cash-out of Tk. 3940.00 from 01500000901. Comm: TK. 16.1343. Balance Tk. 6568.82. TrxID ...":
  // begins like bKash's.
  heading('CASH_OUT_RECEIVED', 'IN', `You have received Cash-out of Tk\\. ?${AMOUNT} from ${FROM}\\.`),
  // "Tk. 900.00 has been received from 01500000901. Ref-tea. Balance Tk. ..."
  heading(
    'SEND_MONEY_RECEIVED',
    'IN',
    `Tk\\. ?${AMOUNT} has been received from ${FROM}\\. ?(?:Ref-(?<ref>.{0,200})\\. Balance)?`,
  ),
  // "Received Payment of Tk.1.00 from 01700000904... TrxID ..."
  heading('PAYMENT_RECEIVED', 'IN', `Received Payment of Tk\\. ?${AMOUNT} from ${FROM}`),
  // "Send money of Tk. 100.00 to 01700000906 is successful. Fee Tk. 0.0. Balance Tk. 800.00. Ref-. TrxID ..."
  heading('SEND_MONEY_SENT', 'OUT', `Send money of Tk\\. ?${AMOUNT} to ${TO} is successful\\.`),
  // "Cash-in of Tk. 500.00 to 01700000907 is successful. Comm: TK. 2.05. ..."
  heading('CASH_IN_GIVEN', 'OUT', `Cash-in of Tk\\. ?${AMOUNT} to ${TO} is successful\\.`),
];

/** A commission may have up to five decimals; one that has more than two is not money that can be computed with. */
const LABELLED = {
  fee: new RegExp(`Fee Tk\\. ?(${ANY_MONEY})`),
  commission: new RegExp(`Comm: TK\\. ?(${ANY_MONEY})`),
  balance: new RegExp(`Balance Tk\\. ?(${ANY_MONEY})`),
  trxId: /TrxID ([0-9A-Z]{10})(?![0-9A-Z])/,
} as const;

/** " Ref-tea. " before the balance: free text, in which labels say nothing. */
const REFERENCE = / ?Ref-.{0,200}\. (?=Balance Tk)/;

/** Upay's money is not collected: its texts are recognised and never evidence. */
export function readUpay({ line }: FoldedText): Refusal {
  const found = readHeading(HEADINGS, line);
  if (found === undefined) return { reason: 'unsupported_format', facts: null };
  // The words of the payer end where the last balance begins.
  const frame = found.direction === 'IN' ? line.replace(REFERENCE, ' ') : line;
  return {
    reason: 'not_collected',
    facts: {
      ...found,
      ...readLabels(LABELLED, frame),
      providerTime: findDhakaTime(frame) ?? null,
    },
  };
}
