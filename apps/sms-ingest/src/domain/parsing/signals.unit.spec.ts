import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSms } from '../parse-sms';
import { checkBkashTrxId, checkNagadTrxId, checkUpayTrxId } from './trx-id-clocks';

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
    ['DK04TEA001', '2026-11-21T09:15', 'differs'],
    ['DK04TEA001', '2026-11-24T09:15', 'agrees'],
    ['DZL4TEA001', '2026-11-21T09:15', 'impossible'],
    ['7121000001', '2017-04-27T16:58', 'agrees'],
    ['7121000001', '2026-04-27T16:58', 'impossible'],
  ])('of bKash, %s at %s, %s with the date code', (trxId, time, check) => {
    expect(checkBkashTrxId(trxId, at(time))).toBe(check);
  });

  it.each([
    ['71P00000', '2023-02-14T10:00', 'agrees'],
    ['75N00000', '2026-07-05T10:00', 'agrees'],
    ['76800000', '2026-11-21T10:00', 'agrees'],
    ['75N00000', '2023-07-05T10:00', 'differs'],
    ['70N00000', '2026-07-05T10:00', 'differs'],
    ['99KL22OP', '2026-07-05T10:00', 'differs'],
  ])('of Nagad, %s at %s, %s with its counter', (trxId, time, check) => {
    expect(checkNagadTrxId(trxId, at(time))).toBe(check);
  });

  it('of Upay is the time to the millisecond', () => {
    const made = '01KAJH4GET';
    const time = new Date(
      Array.from(made).reduce((sum, place) => sum * 32 + '0123456789ABCDEFGHJKMNPQRSTVWXYZ'.indexOf(place), 0),
    );

    expect(checkUpayTrxId(made, time)).toBe('agrees');
    expect(checkUpayTrxId(made, new Date(time.getTime() + 3_600_000))).toBe('differs');
    expect(checkUpayTrxId('01KAJH4GEU', time)).toBe('impossible');
  });
});

describe('a signal', () => {
  it("is absent in a text with the providers' wording", () => {
    expect(signals(BKASH, at('2026-11-21T09:17'))).toEqual([]);
    expect(signals(NAGAD.replace('76TEA001', '76800000'), at('2026-11-21T10:15'))).toEqual([]);
  });

  it.each([
    ['a date that the id does not bear', BKASH.replace('21/11/2026', '25/11/2026'), 'trx_id_time:differs'],
    ['a year that the id does not bear', BKASH.replace('DKL4', 'CKL4'), 'trx_id_time:differs'],
    ['an id that bears no date', BKASH.replace('DKL4', '9999'), 'trx_id_time:impossible'],
    ['an id of Nagad of another year', NAGAD.replace('76TEA001', '73QO0001'), 'trx_id_time:differs'],
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
    ['a time with the half of the day', BKASH.replace(/ (\d\d:\d\d)/, ' $1 PM'), 'grammar:near_miss'],
    ['another case', NAGAD.replace('Received', 'received'), 'grammar:near_miss'],
    ['a missing full stop', NAGAD.replace('Received.', 'Received'), 'grammar:near_miss'],
    ['lost line breaks', NAGAD.replaceAll('\n', ''), 'line_breaks:missing'],
    ['missing spaces', NAGAD.replace('Sender: ', 'Sender:'), 'grammar:spacing'],
    ['a zero-width joiner in a label', BKASH.replace('Balance', 'Bal\u200dance'), 'invisible_characters:zero_width'],
    ['a zero-width space in a number', BKASH.replace('12,309', '12,\u200b309'), 'invisible_characters:zero_width'],
    ['a soft hyphen in the id', BKASH.replace('DKL4', 'DKL\u00ad4'), 'invisible_characters:zero_width'],
    [
      'a zero-width space in the label of the reference',
      BKASH.replace('Ref ', 'Re\u200bf '),
      'invisible_characters:zero_width',
    ],
    ['a tag character after the time', `${BKASH}.\u{e0041}`, 'invisible_characters:zero_width'],
    ['a filler character after the time', `${BKASH}.\u3164`, 'invisible_characters:zero_width'],
    [
      'a zero-width space in a label of Nagad',
      NAGAD.replace('Sender', 'Sen\u200bder'),
      'invisible_characters:zero_width',
    ],
    ['digits of two scripts in one number', BKASH.replace('999.50', '9৯9.50'), 'lookalike_letters:mixed_digits'],
    ['a letter of a rare script after the time', `${BKASH}. Clai\u13d4`, 'lookalike_letters:other_script'],
    ['a link to somewhere else', `${BKASH}. Claim at https://bkash.example/prize`, 'foreign_content:link'],
    ['a link with the name of bKash before an @', `${BKASH}. https://bkash.com@prize.example/`, 'foreign_content:link'],
    ['a link with a backslash', `${BKASH}. https://prize.example\\@bkash.com/`, 'foreign_content:link'],
    ['a link with the name of bKash in front', `${BKASH}. https://bkash.com.prize.example`, 'foreign_content:link'],
    ['a shortened link', `${BKASH}. https://bit.ly/prize`, 'foreign_content:link'],
    ['a link with another scheme', `${BKASH}. HXXP://prize.example`, 'foreign_content:link'],
    ['a link without a scheme', `${BKASH}. Claim: prize.example/now`, 'foreign_content:link'],
    ['a host alone', `${BKASH}. Claim at bkash-prize.xyz`, 'foreign_content:link'],
    ['a host with a letter of another script', `${BKASH}. bk\u00e4sh.com`, 'foreign_content:link'],
    ['a link to an IP address', `${BKASH}. 203.0.113.7/prize`, 'foreign_content:link'],
    ['a link before the title', `Eid offer: prize.example/now\n${NAGAD}`, 'foreign_content:link'],
    ['a link of bKash in a text of Nagad', `${NAGAD}. https://bka.sh/8app`, 'foreign_content:link'],
    ['a number to call', `${BKASH}. Wrong number? Call 01711000999`, 'foreign_content:phone_number'],
    ['a number to call in groups', `${BKASH}. Call +880 1711-000 999`, 'foreign_content:phone_number'],
    ['a number to call in Bangla digits', `${BKASH}. Call ০১৭১১০০০৯৯৯`, 'foreign_content:phone_number'],
    ['a number to call before the title', `Wrong number? Call 01711000999.\n${NAGAD}`, 'foreign_content:phone_number'],
  ])('is given by %s', (_what, message, expected) => {
    expect(signals(message)).toContain(expected);
  });

  it('is given by a time after receipt or long before it, and not by an ordinary delay', () => {
    expect(signals(BKASH, at('2026-11-21T09:00'))).toEqual(['provider_time:after_receipt']);
    expect(signals(BKASH, at('2026-11-21T15:00'))).toEqual([]);
    expect(signals(BKASH, at('2026-11-23T09:16'))).toEqual(['provider_time:long_before_receipt']);
  });

  it('does not depend on the text of the payer and never contains it', () => {
    const written = 'привет https://a.example 01711000999 \u03b1\u03b2 a\u200bb \u2764\ufe0f';
    expect(signals(BKASH.replace('INV-2041', written))).toEqual([]);
    expect(signals(NAGAD.replace('76TEA001', '76800000').replace('N/A', written))).toEqual([]);
    const all = signals(`${BKASH.replace('21/11/2026', '25/11/2026')}. Call 01711000999`).join(' ');
    expect(all).not.toMatch(/0171|DKL4|999\.50/);
  });

  it('is given by no advertising that the providers send', () => {
    const adverts = [
      '.Priyo Cash Out at 13.95/thousand',
      ' Mobile Recharge bKash korun.Download App: https://bKa.sh/8app',
      '. Details: www.bkash.com/offer, help 16247.',
      '. Cash Out korun.To know more dial *247#',
      '. Nescafé 10.50/cup; TCA',
      ' \u0995\u09cd\u200d\u09af\u09be\u09b6 \u0986\u0989\u099f \u0995\u09b0\u09c1\u09a8',
    ];
    expect(adverts.flatMap((advert) => signals(`${BKASH}${advert}`))).toEqual([]);
    const first = `Jitun bari! Ekhoni nagad.io/bari\n${NAGAD.replace('76TEA001', '76800000')}`;
    expect(signals(first)).toEqual([]);
  });

  it('is given by a sender id in another spelling, and not by the usual one', () => {
    const spelled = (sender: string) => {
      const parsed = parseSms({ sender, message: BKASH }, senderIds);
      return { status: parsed.status, signals: parsed.signals };
    };
    const odd = [{ name: 'sender_id', detail: 'spelling' }];

    expect(spelled(' bKash ')).toEqual({ status: 'PARSED', signals: [] });
    expect(['BKASH', 'bkash', 'Bkash', '\ufeffbKash'].map(spelled)).toEqual(
      Array.from({ length: 4 }, () => ({ status: 'PARSED', signals: odd })),
    );
    expect(
      ['b\u041aash', 'bKa\u200bsh', 'bKash1', 'bKash Offer', '01711000999'].map((each) => spelled(each).status),
    ).toEqual(Array.from({ length: 5 }, () => 'UNPARSED'));
  });

  it('never changes whether a text is evidence', () => {
    const forged = parseSms({ sender: 'bKash', message: BKASH.replace('21/11/2026', '25/11/2026') }, senderIds);
    expect(forged).toMatchObject({ status: 'PARSED', signals: [{ name: 'trx_id_time' }] });
  });
});
