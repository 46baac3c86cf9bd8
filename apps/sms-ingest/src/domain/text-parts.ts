import {
  minuteInDhaka,
  parseAmount,
  toAsciiDigits,
  type SmsEventFacts,
  type TextPart,
  type TextPartName,
} from '@pay/contracts';

type Values = Pick<SmsEventFacts, TextPartName>;

/** Sums of money. Examples: "5,075.00", "239". */
const SUM = /\d[\d,]*(?:\.\d{1,2})?/g;
/** Labels directly before a sum. Examples: "Fee Tk ", "Balance: Tk ". */
const LABELS = {
  fee: /fee:? ?(?:tk\.? ?)?$/i,
  commission: /comm(?:ission)?:? ?(?:tk\.? ?)?$/i,
  balance: /balance:? ?(?:is )?(?:tk\.? ?)?$/i,
} as const;
const AMOUNT_LABEL = /(?:tk\.?|amount:?|৳) ?$/i;
const LONGEST_LABEL = 20;

/** Where the values of a text are in it; a value that is not found, or only inside another one, is left out. */
export function textParts(message: string, values: Values): TextPart[] {
  // As many characters as before, so that places are the same.
  const text = toAsciiDigits(message);
  const parts: TextPart[] = [];
  const add = (name: TextPartName, from: number | undefined, length: number) => {
    if (from === undefined || from < 0) return;
    const to = from + length;
    if (parts.every((part) => to <= part.from || from >= part.to)) parts.push({ name, from, to });
  };
  const time = values.providerTime === null ? undefined : minuteInDhaka(new Date(values.providerTime));
  if (time !== undefined) add('providerTime', text.indexOf(time), time.length);
  if (values.trxId !== null) {
    add('trxId', wordIn(text.toUpperCase(), values.trxId.toUpperCase(), 'last'), values.trxId.length);
  }
  for (const name of ['senderMsisdn', 'recipientMsisdn'] as const) {
    const value = values[name];
    if (value !== null) add(name, wordIn(text, value, 'first'), value.length);
  }
  addSums(text, values, add);
  if (values.reference !== null) {
    const found = referenceIn(text, values.reference);
    if (found !== undefined) add('reference', found.from, found.length);
  }
  return parts.sort((one, other) => one.from - other.from);
}

function addSums(text: string, values: Values, add: (name: TextPartName, from: number, length: number) => void): void {
  const sums = [...text.matchAll(SUM)].map((found) => {
    const before = text.slice(Math.max(0, found.index - LONGEST_LABEL), found.index).replace(/\s+/g, ' ');
    return { from: found.index, length: found[0].length, value: poisha(found[0]), before };
  });
  const isLabelled = ({ before }: { before: string }) => Object.values(LABELS).some((label) => label.test(before));
  for (const name of ['fee', 'commission', 'balance'] as const) {
    const value = values[name];
    const found = sums.find((sum) => LABELS[name].test(sum.before) && sum.value === poisha(value ?? ''));
    if (value !== null && found) add(name, found.from, found.length);
  }
  const { amount } = values;
  const found = sums.find(
    (sum) => amount !== null && sum.value === poisha(amount) && AMOUNT_LABEL.test(sum.before) && !isLabelled(sum),
  );
  if (found) add('amount', found.from, found.length);
}

function poisha(written: string): bigint | undefined {
  return parseAmount(written.replaceAll(',', ''));
}

/** A value with nothing of a word before or behind it. */
function wordIn(text: string, value: string, which: 'first' | 'last'): number | undefined {
  const isWord = (at: number) => /^[^\p{L}\p{N}]?$/u.test(text.charAt(at));
  const places: number[] = [];
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1)) {
    if ((at === 0 || isWord(at - 1)) && isWord(at + value.length)) places.push(at);
  }
  return which === 'first' ? places[0] : places.at(-1);
}

/**
 * Behind its label, because a short reference such as "1" is everywhere. White space may have been folded when it was
 * read.
 */
function referenceIn(text: string, reference: string): { readonly from: number; readonly length: number } | undefined {
  const words = toAsciiDigits(reference).trim().split(/\s+/).map(escaped).join('\\s+');
  const found = new RegExp(`(Ref(?:erence)?\\.?:?\\s*)(${words})`, 'i').exec(text);
  return found === null ? undefined : { from: found.index + (found[1] ?? '').length, length: (found[2] ?? '').length };
}

function escaped(word: string): string {
  return word.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}
