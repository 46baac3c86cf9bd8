import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatAmount, GENERATED_REFERENCE_LENGTH, REFERENCE_ALPHABET } from '@pay/contracts';
import fc from 'fast-check';
import { parseSms, providerOfSender, readAs } from './parse-sms';
import type { UnparsedReason } from './parsed-sms';

const FIXTURES = join(__dirname, '..', '..', 'test', 'fixtures');
const senderIds = { BKASH: ['bKash'], NAGAD: ['NAGAD'] };

function fixture(name: string): string {
  return readFileSync(join(FIXTURES, name), 'utf8');
}

function parse(message: string, sender = message.includes('TxnID') ? 'NAGAD' : 'bKash') {
  return parseSms({ sender, message }, senderIds);
}

/** Amount, balance, payer, id, reference, Bangladesh time. */
type Expected = [string, string, string, string, string | null, string];

const SEND_MONEY: Record<string, Expected> = {
  'bkash-send-money.txt': ['1450', '9310.25', '01711000201', 'DKL4TEA001', null, '2026-11-21T09:15'],
  'bkash-send-money-reference.txt': ['999.5', '12309.75', '01811000202', 'DKL4TEA002', 'INV-2041', '2026-11-21T09:16'],
  'bkash-send-money-reference-with-spaces.txt': [
    '60',
    '360',
    '01911000203',
    'DKL4TEA003',
    'tea and 2 biscuits',
    '2026-11-21T09:17',
  ],
  'bkash-send-money-reference-glued.txt': [
    '10500',
    '110500',
    '01311000204',
    'DKL4TEA004',
    'dokan vara',
    '2026-11-21T09:18',
  ],
  'bkash-send-money-reference-empty.txt': ['25', '25', '01411000205', 'DKL4TEA005', null, '2026-11-21T09:19'],
  'bkash-send-money-reference-empty-glued.txt': [
    '2000',
    '2113.4',
    '01511000206',
    'BKL4TEA006',
    null,
    '2024-11-21T09:20',
  ],
  'bkash-send-money-reference-dots.txt': ['75', '175', '01611000207', 'DKL4TEA007', 'order no. 7', '2026-11-21T09:21'],
  'bkash-send-money-reference-imitates-tail.txt': [
    '15',
    '115',
    '01711000208',
    'DKL4TEA008',
    'x. Fee Tk a lot. Balance',
    '2026-11-21T09:22',
  ],
  'bkash-send-money-full-stop.txt': ['330', '4430', '01811000209', 'DKL4TEA009', null, '2026-11-21T09:23'],
  'bkash-send-money-advert.txt': ['80', '380', '01911000210', 'DKL4TEA010', null, '2026-11-21T09:24'],
  'bkash-send-money-advert-glued.txt': ['90', '390', '01911000211', 'DKL4TEA011', '7', '2026-11-21T09:25'],
  'bkash-send-money-no-space-before-trxid.txt': ['45', '145', '01311000212', 'DKL4TEA012', null, '2026-11-21T09:26'],
  'bkash-send-money-masked-payer.txt': ['640', '1640', '0171XXXX213', 'DKL4TEA013', 'MILK', '2026-11-21T09:27'],
  'bkash-send-money-bangla-digits.txt': ['1200', '2200', '01711000214', 'DKL4TEA014', '2041', '2026-11-21T09:28'],
  'nagad-money-received.txt': ['1450', '9310.25', '01711000301', '76TEA001', null, '2026-11-21T10:15'],
  'nagad-money-received-reference.txt': [
    '999.5',
    '12309.75',
    '01811000302',
    '76TEA002',
    'INV-2041',
    '2026-11-21T10:16',
  ],
  'nagad-money-received-reference-with-spaces.txt': [
    '60',
    '360',
    '01911000303',
    '76TEA003',
    'tea and 2 biscuits',
    '2026-11-21T10:17',
  ],
  'nagad-money-received-no-reference.txt': ['2000', '2113.4', '01311000304', '70TEA004', null, '2020-11-21T10:18'],
  'nagad-money-received-commas.txt': ['10500', '110060.81', '01411000305', '76TEA005', null, '2026-11-21T10:19'],
  'nagad-money-received-one-line.txt': ['75', '175', '01511000306', '76TEA006', 'order 7', '2026-11-21T10:20'],
  'nagad-money-received-line-breaks-lost.txt': [
    '2100',
    '110060.81',
    '01611000307',
    '76TEA007',
    null,
    '2026-11-21T10:21',
  ],
  'nagad-money-received-advert-first.txt': ['810', '823.95', '01711000308', '76TEA008', null, '2026-11-21T10:22'],
  'nagad-money-received-advert-first-one-line.txt': [
    '820',
    '833.95',
    '01711000309',
    '76TEA009',
    null,
    '2026-11-21T10:23',
  ],
  'nagad-money-received-bangla-digits.txt': ['500', '700', '01711000310', '76TEA010', '2041', '2026-11-21T10:24'],
};

const REFUSED = readdirSync(FIXTURES).filter((name) => !(name in SEND_MONEY));
const REASON_OF: Record<string, UnparsedReason> = {
  unsupported: 'unsupported_format',
  ambiguous: 'ambiguous_text',
  impossible: 'impossible_time',
};

describe('a text of received Send Money', () => {
  it.each(Object.entries(SEND_MONEY))('%s is read with all its facts', (name, expected) => {
    const [amount, balance, senderMsisdn, trxId, reference, time] = expected;
    const parsed = parse(fixture(name));

    if (parsed.status !== 'PARSED') throw new Error(`${name}: ${parsed.reason}`);
    expect({ ...parsed, amount: formatAmount(parsed.amount), balance: formatAmount(parsed.balance ?? -1n) }).toEqual({
      status: 'PARSED',
      provider: name.startsWith('bkash') ? 'BKASH' : 'NAGAD',
      kind: 'SEND_MONEY_RECEIVED',
      direction: 'IN',
      paymentMethod: name.startsWith('bkash') ? 'BKASH_SEND_MONEY' : 'NAGAD_SEND_MONEY',
      amount,
      fee: name.startsWith('bkash') ? 0n : null,
      balance,
      trxId,
      reference,
      senderMsisdn,
      providerTime: new Date(`${time}:00+06:00`),
    });
  });

  it.each(Object.keys(SEND_MONEY))('%s is read the same whatever a transport made of its white space', (name) => {
    const text = fixture(name);
    const expected = parse(text);

    expect(parse(text.replaceAll('\n', '\r\n'))).toEqual(expected);
    expect(parse(`\n ${text.replaceAll('\n', ' \n')}\r\n`)).toEqual(expected);
    expect(parse(text.replaceAll(' ', '\u00a0'))).toEqual(expected);
    if (!name.includes('advert-first')) expect(parse(text.replaceAll('\n', ' '))).toEqual(expected);
  });

  it.each(Object.keys(SEND_MONEY))('%s is not read when it is cut off before the end of its time', (name) => {
    const text = fixture(name).trimEnd();
    const end = text.search(/[0-9০-৯]{2}:[0-9০-৯]{2}/) + 5;
    for (const cut of [end - 1, end - 3, end - 8, Math.floor(end / 2), 1]) {
      expect(parse(text.slice(0, cut), name.startsWith('bkash') ? 'bKash' : 'NAGAD')).toMatchObject({
        status: 'UNPARSED',
        reason: 'unsupported_format',
      });
    }
  });
});

describe('a reference that this system generated', () => {
  const generated = fc
    .array(fc.constantFrom(...Array.from(REFERENCE_ALPHABET)), {
      minLength: GENERATED_REFERENCE_LENGTH,
      maxLength: GENERATED_REFERENCE_LENGTH,
    })
    .map((characters) => characters.join(''));

  it.each([
    ['bKash', (reference: string) => fixture('bkash-send-money-reference.txt').replace('INV-2041', reference)],
    ['NAGAD', (reference: string) => fixture('nagad-money-received.txt').replace(/Ref: .*/, `Ref: ${reference}`)],
  ])('is read as it is in a text of %s, whatever its letters happen to spell', (sender, textWith) => {
    fc.assert(
      fc.property(generated, (reference) => {
        expect(parse(textWith(reference), sender)).toMatchObject({ status: 'PARSED', reference });
      }),
      { examples: [['4TK69VY66T'], ['NAYJTJ9TK7'], ['FTK9V6HFQA']], numRuns: 500 },
    );
  });
});

describe('any other text', () => {
  it.each(REFUSED)('%s is not evidence', (name) => {
    const provider = name.includes('-nagad-') ? 'NAGAD' : 'BKASH';
    const sender = provider === 'NAGAD' ? 'NAGAD' : 'bKash';
    const reason = REASON_OF[name.slice(0, name.indexOf('-'))];

    expect(parse(fixture(name), sender)).toEqual({ status: 'UNPARSED', provider, reason });
  });

  it('is not evidence when a true text comes from the other provider', () => {
    expect(parse(fixture('bkash-send-money.txt'), 'NAGAD')).toMatchObject({ reason: 'unsupported_format' });
    expect(parse(fixture('nagad-money-received.txt'), 'bKash')).toMatchObject({ reason: 'unsupported_format' });
  });
});

describe('the sender', () => {
  it.each([
    ['bKash', 'BKASH'],
    [' BKASH ', 'BKASH'],
    ['bkash', 'BKASH'],
    ['NAGAD', 'NAGAD'],
    ['Nagad', 'NAGAD'],
  ] as const)('%p is %s', (sender, provider) => {
    expect(providerOfSender(sender, senderIds)).toBe(provider);
  });

  it.each([
    'BKASH-PROMO',
    'bKash Offer',
    'bKashCS',
    'NAGAD-OFFER',
    '16247',
    '01711000201',
    'b Kash',
    'bKash.',
    '',
    'b\u212aash',
    'ｂKash',
    'bKаsh',
    'NAGAD\u0000',
    'NAGAD\u200b',
    'constructor',
  ])('%j is nobody, and its text is not even looked at', (sender) => {
    expect(parse(fixture('bkash-send-money.txt'), sender)).toEqual({
      status: 'UNPARSED',
      provider: null,
      reason: 'untrusted_sender',
    });
  });
});

describe('hostile texts', () => {
  it('never make a parser throw', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        'You have received Tk ',
        'from 01711000201. ',
        'Ref ',
        'Fee Tk 0.00. ',
        'Balance Tk 1.00. ',
        'TrxID ',
      ),
      fc.constantFrom(
        'Money Received.\n',
        'Amount: Tk 1.00',
        'Sender: 01711000201',
        'TxnID: 76TEA001',
        '21/11/2026 10:15',
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.constantFrom('bKash', 'NAGAD'), (pieces, sender) => {
        const parsed = parse(pieces.join(''), sender);
        expect(parsed.status === 'PARSED' || parsed.reason !== 'parser_error').toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it('give what the payer wrote as the reference and never as anything else', () => {
    const reference = fc
      .string({ unit: 'grapheme-ascii', maxLength: 60 })
      .filter((text) => !/T(?:rx|xn|rnx) ?ID/i.test(text));
    fc.assert(
      fc.property(reference, (written) => {
        const parsed = parse(
          `You have received Tk 10.00 from 01711000601. Ref ${written}. Fee Tk 0.00. Balance Tk 120.00. TrxID DKL4TEA601 at 21/11/2026 13:00`,
          'bKash',
        );
        if (parsed.status === 'UNPARSED') expect(written).toMatch(/Tk/i);
        else {
          expect(parsed).toMatchObject({ amount: 1_000n, balance: 12_000n, trxId: 'DKL4TEA601' });
          expect(parsed.reference ?? '').toBe(written.replace(/\s+/g, ' ').trim());
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['bKash', `You have received Tk 1${',000'.repeat(490)}`],
    ['bKash', `You have received Tk 10.00 from 01711000201. Ref ${'Ref . '.repeat(300)}`],
    ['bKash', `${'Fee Tk 0.00. Balance Tk 1.00. '.repeat(60)}TrxID DKL4TEA601 at 21/11/2026 13:00`],
    ['NAGAD', `${' \n'.repeat(900)}Money Received.`],
    ['NAGAD', `Money Received. Amount: Tk 1.00 Sender: 01711000201 ${'Ref: '.repeat(380)}`],
    ['NAGAD', `${'nagad.io/'.repeat(210)}Money Received.`],
    ['NAGAD', `${'T'.repeat(1_900)}xn ID`],
  ])('from %s of 2,000 characters take no noticeable time: %s', (sender, text) => {
    const started = performance.now();
    for (let round = 0; round < 100; round += 1) parse(text, sender);
    expect(performance.now() - started).toBeLessThan(500);
  });

  it('are kept as UNPARSED when a parser fails after all', () => {
    const failing = () => {
      throw new RangeError('no such thing');
    };
    expect(readAs('BKASH', 'text', failing)).toEqual({ status: 'UNPARSED', provider: 'BKASH', reason: 'parser_error' });
  });
});
