import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSms } from '../parse-sms';
import { bkashIdVerdict, nagadIdVerdict, upayIdVerdict } from './trx-id-clocks';

const senderIds = { BKASH: ['bKash'], NAGAD: ['NAGAD'] };
const FIXTURES = join(__dirname, '..', '..', '..', 'test', 'fixtures');
const BKASH = readFileSync(join(FIXTURES, 'bkash-send-money-reference.txt'), 'utf8').trimEnd();
const NAGAD = readFileSync(join(FIXTURES, 'nagad-money-received.txt'), 'utf8').trimEnd();
const at = (dhaka: string) => new Date(`${dhaka}:00+06:00`);

function signals(message: string, receivedAt?: Date): string[] {
  const sender = message.includes('TxnID') ? 'NAGAD' : 'bKash';
  const parsed = parseSms({ sender, message, ...(receivedAt && { receivedAt }) }, senderIds);
  return parsed.signals.map(({ name, detail }) => `${name}:${detail}`);
}

describe('the id of a transaction', () => {
  it.each([
    ['DKL4TEA001', '2026-11-21T09:15', 'agrees'],
    ['DKL4TEA001', '2026-11-22T00:01', 'agrees'],
    ['DKL4TEA001', '2026-11-20T23:59', 'agrees'],
    ['DKL4TEA001', '2026-11-23T00:00', 'differs'],
    ['CKL4TEA001', '2026-11-21T09:15', 'differs'],
    ['4EN4TEA001', '2017-05-23T13:54', 'agrees'],
    ['ECT4TEA001', '2027-03-29T13:54', 'agrees'],
    ['EBT4TEA001', '2027-02-28T13:54', 'impossible'],
    ['DK04TEA001', '2026-11-21T09:15', 'impossible'],
    ['DZL4TEA001', '2026-11-21T09:15', 'impossible'],
    ['7121000001', '2017-04-27T16:58', 'agrees'],
    ['7121000001', '2026-04-27T16:58', 'impossible'],
  ])('of bKash, %s at %s, %s with the date code', (trxId, time, verdict) => {
    expect(bkashIdVerdict(trxId, at(time))).toBe(verdict);
  });

  it.each([
    ['71P00000', '2023-02-14T10:00', 'agrees'],
    ['75N00000', '2026-07-05T10:00', 'agrees'],
    ['76800000', '2026-11-21T10:00', 'agrees'],
    ['75N00000', '2023-07-05T10:00', 'differs'],
    ['70N00000', '2026-07-05T10:00', 'differs'],
    ['99KL22OP', '2026-07-05T10:00', 'differs'],
  ])('of Nagad, %s at %s, %s with its counter', (trxId, time, verdict) => {
    expect(nagadIdVerdict(trxId, at(time))).toBe(verdict);
  });

  it('of Upay is the time to the millisecond', () => {
    const made = '01KAJH4GET';
    const time = new Date(
      Array.from(made).reduce((sum, place) => sum * 32 + '0123456789ABCDEFGHJKMNPQRSTVWXYZ'.indexOf(place), 0),
    );

    expect(upayIdVerdict(made, time)).toBe('agrees');
    expect(upayIdVerdict(made, new Date(time.getTime() + 3_600_000))).toBe('differs');
    expect(upayIdVerdict('01KAJH4GEU', time)).toBe('impossible');
  });
});

describe('a signal', () => {
  it('is given by nothing in a text as the providers write it', () => {
    expect(signals(BKASH, at('2026-11-21T09:17'))).toEqual([]);
    expect(signals(NAGAD.replace('76TEA001', '76800000'), at('2026-11-21T10:15'))).toEqual([]);
  });

  it.each([
    ['a date that the id does not bear', BKASH.replace('21/11/2026', '25/11/2026'), 'trx_id_time:differs'],
    ['a balance smaller than what came in', BKASH.replace('12,309.75', '309.75'), 'balance:below_amount'],
    ['no space where bKash writes one', BKASH.replace('. TrxID', '.TrxID'), 'grammar:spacing'],
    [
      'no commas where bKash writes them',
      BKASH.replace('12,309.75', '12309.75').replace('999.50', '1999.50'),
      'grammar:thousands_commas',
    ],
    ['a zero-width space', BKASH.replace('Balance', 'Bal\u200bance'), 'invisible_characters:zero_width'],
    ['a direction mark', BKASH.replace('Balance', '\u200eBalance'), 'invisible_characters:direction_marks'],
    ['a Cyrillic letter in a label', BKASH.replace('Balance', 'B\u0430lance'), 'lookalike_letters:cyrillic'],
    ['a fullwidth digit', BKASH.replace('999', '\uff1999'), 'lookalike_letters:fullwidth'],
    ['a Greek letter in the id', NAGAD.replace('76TEA001', '76TE\u0391001'), 'lookalike_letters:greek'],
    ['another case', NAGAD.replace('Received', 'received'), 'grammar:near_miss'],
    ['a missing full stop', NAGAD.replace('Received.', 'Received'), 'grammar:near_miss'],
    ['lost line breaks', NAGAD.replaceAll('\n', ''), 'grammar:line_breaks'],
    ['missing spaces', NAGAD.replace('Sender: ', 'Sender:'), 'grammar:spacing'],
    ['a link to somewhere else', `${BKASH}. Claim at https://bkash.example/prize`, 'foreign_content:link'],
    ['a number to call', `${BKASH}. Wrong number? Call 01711000999`, 'foreign_content:phone_number'],
  ])('is given by %s', (_what, message, expected) => {
    expect(signals(message)).toContain(expected);
  });

  it('is given by a time after receipt or long before it, and not by an ordinary delay', () => {
    expect(signals(BKASH, at('2026-11-21T09:00'))).toEqual(['provider_time:after_receipt']);
    expect(signals(BKASH, at('2026-11-21T15:00'))).toEqual([]);
    expect(signals(BKASH, at('2026-11-23T09:16'))).toEqual(['provider_time:long_before_receipt']);
  });

  it('is given by nothing that a payer wrote, and never holds what the text says', () => {
    const written = BKASH.replace('INV-2041', 'привет https://a.example 01711000999 \u03b1\u03b2');
    expect(signals(written)).toEqual([]);
    const all = signals(`${BKASH.replace('21/11/2026', '25/11/2026')}. Call 01711000999`).join(' ');
    expect(all).not.toMatch(/0171|DKL4|999\.50/);
  });

  it('never makes evidence of a text, nor takes it away', () => {
    const forged = parseSms({ sender: 'bKash', message: BKASH.replace('21/11/2026', '25/11/2026') }, senderIds);
    expect(forged).toMatchObject({ status: 'PARSED', signals: [{ name: 'trx_id_time' }] });
  });
});
