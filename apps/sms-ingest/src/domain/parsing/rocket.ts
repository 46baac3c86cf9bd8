import type { Refusal } from '../parsed-sms';
import { headingsOf, readDhakaTime, readHeading, readLabels, type Heading } from './grammar';
import type { FoldedText } from './normalise';

/**
 * "Tk480.00", "Tk.20.00", "Tk.84" (0.84), "Tk .00", "Tk0". A point after Tk belongs to the sum unless the sum has its
 * own.
 */
const TAKA = String.raw`Tk(?:\.(?=\d{1,3}(?:,\d{3}){0,3}\.\d))? ?(?<amount>(?:\d{1,3}(?:,\d{3}){1,3}|\d{1,9})?(?:\.\d{1,2})?)(?!\d|[.,]\d)`;
/** "A/C:***946", "A/C: 017000000037": a masked or whole account of twelve digits. */
const ACCOUNT = String.raw`\*{3}\d{3}|\d{11,12}`;
const FROM = `A\\/C:? ?(?<from>${ACCOUNT})`;
const TO = `A\\/C:? ?(?<to>${ACCOUNT})`;
const heading = headingsOf('.{0,400}');

const HEADINGS: readonly Heading[] = [
  // "Tk.20.00 received from A/C:***946 Ref No: NA Fee: Tk.00 NetBal: Tk41.00 ...": a merchant's
  heading('PAYMENT_RECEIVED', 'IN', `${TAKA} received from ${FROM} Ref No: `),
  // "Tk100.00 received from A/C:***946 Fee:Tk0, Your A/C Balance: Tk100.00 ..."
  heading('SEND_MONEY_RECEIVED', 'IN', `${TAKA} received from ${FROM} Fee:`),
  // "Tk 50.00 received from bKash A/C ***648 through NPSB. ..."
  heading('INTERBANK_RECEIVED', 'IN', `${TAKA} received from [A-Za-z ]{1,40}${FROM} through NPSB\\.`),
  // "B2B: Cash-In from A/C: 017000000037 Tk5,000.00, ...", "B2C: Cash-In to A/C: 017000000045 Tk300.00 ..."
  heading('B2B_RECEIVED', 'IN', `B2B: Cash-In from ${FROM} ${TAKA}`),
  heading('CASH_IN_GIVEN', 'OUT', `(?:B2C: )?Cash-In to ${TO} ${TAKA}`),
  // "Cash-Out from A/C: ***097 Tk2,009.00 Comm:Tk8.43; ..."
  heading('CASH_OUT_RECEIVED', 'IN', `(?:B2C: )?Cash-Out from ${FROM} ${TAKA}`),
  // "Tk500.00 credited from card ***1234. ..."
  heading('ADD_MONEY', 'IN', `${TAKA} credited from card `),
];

const LABELLED = {
  fee: new RegExp(`Fee: ?${TAKA}`),
  commission: new RegExp(`Comm: ?${TAKA}`),
  // Texts are cut at 160 characters: a sum at the very end may have lost digits.
  balance: new RegExp(`(?:A\\/C Balance|NetBal): ?${TAKA}(?!$)`),
  trxId: /T(?:xn|rx)I[Dd]: ?(\d{10})(?!\d)/,
} as const;

/** "Ref No: NA Fee: ": free text, in which labels say nothing. */
const REFERENCE = /Ref No: ?(.{0,200}) Fee: ?Tk/;

/** "27-DEC-25 08:43:52 pm": two digits of the year, twelve hours. */
const ROCKET_TIME =
  /(?:Date: ?|at )(\d{2})-(JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)-(\d{2}) (\d{2}):(\d{2}):\d{2} ([ap])m/i;
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

/** Rocket's money is not collected: its texts are recognised and never evidence. */
export function readRocket({ line }: FoldedText): Refusal {
  const found = readHeading(HEADINGS, line);
  if (found === undefined) return { reason: 'unsupported_format', facts: null };
  const reference = REFERENCE.exec(line)?.[1]?.trim() ?? '';
  const frame = line.replace(REFERENCE, 'Fee: Tk');
  return {
    reason: 'not_collected',
    facts: {
      ...found,
      ...readLabels(LABELLED, frame),
      reference: reference === '' || reference === 'NA' ? null : reference,
      providerTime: readRocketTime(frame) ?? null,
    },
  };
}

function readRocketTime(line: string): Date | undefined {
  const found = ROCKET_TIME.exec(line);
  if (found === null) return undefined;
  const [, day, month = '', year = '', hour, minute, half] = found;
  if (!(Number(hour) >= 1 && Number(hour) <= 12)) return undefined;
  const hours = (Number(hour) % 12) + (half?.toLowerCase() === 'p' ? 12 : 0);
  return readDhakaTime([day, String(MONTHS.indexOf(month.toUpperCase()) + 1), `20${year}`, String(hours), minute]);
}
