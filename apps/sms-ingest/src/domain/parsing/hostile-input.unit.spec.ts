import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSms } from '../parse-sms';
import { MAX_TEXT_LENGTH } from './normalise';

const senderIds = { BKASH: ['bKash'], NAGAD: ['NAGAD'], ROCKET: ['16216'], UPAY: ['upay'] };

/** Near matches of what the patterns look for, to be repeated up to the longest text that is looked at. */
const REPEATED: readonly (readonly [sender: string, begin: string, piece: string])[] = [
  ['bKash', 'You have received Tk 1', ',000'],
  ['bKash', 'You have received Tk 10.00 from 01711000201. Ref ', 'Ref . '],
  ['bKash', 'You have received Tk 10.00 from 01711000201. ', 'Fee Tk 0.00. Balance Tk 1.00. TrxID '],
  ['bKash', 'Payment Tk 10.00 to ', 'is successful '],
  ['bKash', 'Sorry, your ', 'x is unsuccessful! Tk 1.00 '],
  ['bKash', '', 'A request has failed. Tk 1 '],
  ['bKash', '', 'discount '],
  ['bKash', '', 'TrxID 01711000201 12:00 '],
  ['bKash', '21/11/2026 12:00', ' 0171100020'],
  ['bKash', '', 'http://a.'],
  ['bKash', '', '\u200b '],
  ['NAGAD', '', ' \n'],
  ['NAGAD', 'Money Received. Amount: Tk 1.00 Sender: 01711000201 ', 'Ref: '],
  ['NAGAD', 'Send Money Successful. Amount: ', 'Ref: x '],
  ['NAGAD', '', 'Money Received.'],
  ['NAGAD', '', 'nagad.io/'],
  ['NAGAD', 'Payment to ', 'x is Successful. Amount: '],
  ['NAGAD', 'Refund from ', 'Amount:'],
  ['NAGAD', '', 'Balance: Tk 1,111,111,111'],
  ['16216', 'Tk1', ',111'],
  ['16216', 'Tk1.00 received from ', 'a '],
  ['upay', 'Tk. 1.00 has been received from 01711000201. Ref-', '. Balance'],
];

describe('the time to parse a text', () => {
  it.each(REPEATED)('from %s, %j and then %j, grows no faster than the text', (sender, begin, piece) => {
    const textOf = (length: number) => (begin + piece.repeat(length)).slice(0, length);
    const quickest = (length: number) => {
      const message = textOf(length);
      let best = Number.POSITIVE_INFINITY;
      for (let round = 0; round < 8; round += 1) {
        const started = performance.now();
        for (let again = 0; again < 12; again += 1) parseSms({ sender, message }, senderIds);
        best = Math.min(best, performance.now() - started);
      }
      return best;
    };
    quickest(MAX_TEXT_LENGTH);

    // Four times the text: linear work takes four times as long, quadratic sixteen. Of eight rounds the quickest was
    // disturbed least; on a machine that disturbs all of them it is looked at again, and quadratic work is so every
    // time.
    const times = () => quickest(MAX_TEXT_LENGTH) / Math.max(quickest(MAX_TEXT_LENGTH / 4), 0.25);
    let longer = times();
    for (let again = 0; again < 5 && longer >= 11; again += 1) longer = times();
    expect(longer).toBeLessThan(11);
  });
});

describe('the patterns of the parsers', () => {
  const sources = readdirSync(__dirname)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))
    .map((name) => [name, readFileSync(join(__dirname, name), 'utf8')] as const);

  it('are all in this folder', () => {
    expect(sources.map(([name]) => name)).toEqual(
      expect.arrayContaining([
        'bkash.ts',
        'nagad.ts',
        'rocket.ts',
        'upay.ts',
        'grammar.ts',
        'normalise.ts',
        'signals.ts',
      ]),
    );
  });

  // Repetition without an end inside another repetition is what makes a pattern take exponential time.
  it.each(sources)('in %s repeat no group without an end', (_name, source) => {
    const code = source.replace(/\/\*[^]*?\*\//g, '').replace(/\/\/.*$/gm, '');
    expect(code.match(/\)(?:[+*](?![ \w])|\{\d+,\})/g) ?? []).toEqual([]);
  });

  it.each(sources)('in %s take in free text only up to a length', (_name, source) => {
    const code = source.replace(/\/\*[^]*?\*\//g, '').replace(/\/\/.*$/gm, '');
    expect(code.match(/(?<!\\)\.[+*]/g) ?? []).toEqual([]);
  });
});
