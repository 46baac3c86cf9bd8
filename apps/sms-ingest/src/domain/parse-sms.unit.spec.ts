import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  formatAmount,
  GENERATED_REFERENCE_LENGTH,
  paymentMethodSchema,
  REFERENCE_ALPHABET,
  type PaymentMethod,
} from '@pay/contracts';
import fc from 'fast-check';
import { identifySender, parseSms, READERS } from './parse-sms';
import type { UnparsedReason } from './parsed-sms';
import { MAX_TEXT_LENGTH } from './parsing/normalise';

// The same in every run, so that no change fails by chance.
fc.configureGlobal({ seed: 20261121 });

const FIXTURES = join(__dirname, '..', '..', 'test', 'fixtures');
const senderIds = {
  BKASH: ['bKash'],
  NAGAD: ['NAGAD'],
  ROCKET: ['16216'],
  UPAY: ['upay'],
  notices: { BKASH: ['16247'] },
};

function fixture(name: string): string {
  return readFileSync(join(FIXTURES, name), 'utf8');
}

function parse(message: string, sender = message.includes('TxnID') ? 'NAGAD' : 'bKash') {
  return parseSms({ sender, message }, senderIds);
}

/** The method that a fixture's name begins with: `bkash-cash-out-advert.txt`. */
function methodOf(name: string): PaymentMethod {
  const [, provider = '', rest = ''] = /^(bkash|nagad)-(.*)$/.exec(name) ?? [];
  const type = rest.startsWith('payment') ? 'PAYMENT' : rest.startsWith('cash-out') ? 'CASHOUT' : 'SEND_MONEY';
  return paymentMethodSchema.parse(`${provider.toUpperCase()}_${type}`);
}

const KIND_OF: Record<string, string> = {
  PAYMENT: 'PAYMENT_RECEIVED',
  CASHOUT: 'CASH_OUT_RECEIVED',
  SEND_MONEY: 'SEND_MONEY_RECEIVED',
};

/** Amount, balance, payer, id, reference, Bangladesh time. */
type Expected = [string, string, string, string, string | null, string];

const COLLECTED: Record<string, Expected> = {
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
  'nagad-money-received-zero-width.txt': ['60', '160', '01711000717', '76TEA717', 'cha', '2026-11-21T14:17'],
  'bkash-payment.txt': ['1549', '8210.56', '01711000701', 'DKL4TEA701', null, '2026-11-21T14:01'],
  'bkash-payment-reference.txt': ['549', '8210.56', '01711000401', 'DKL4BAD001', '7', '2026-11-21T11:01'],
  'bkash-payment-masked-payer.txt': ['500', '504', '0171XXXX702', 'DKL4TEA702', 'brickfield', '2026-11-21T14:02'],
  'bkash-payment-reference-and-counter.txt': [
    '200',
    '1250',
    '01811000703',
    '4KL4TEA703',
    'chalan 77',
    '2017-11-21T14:03',
  ],
  'bkash-payment-reference-glued.txt': ['12000', '15200', '01911000704', 'DKL4TEA704', 'CHA-22', '2026-11-21T14:04'],
  'bkash-payment-no-space-before-trxid.txt': ['55', '55.59', '01911000705', 'CKL4TEA705', null, '2025-11-21T14:05'],
  'bkash-payment-numeric-trxid.txt': ['75', '95', '01711000706', '7121004706', 'cha', '2017-04-21T14:06'],
  'bkash-payment-no-commas.txt': ['2750', '12750', '01611000707', 'DKL4TEA707', null, '2026-11-21T14:07'],
  'bkash-payment-bangla-digits.txt': ['850', '1850', '01711000708', 'DKL4TEA708', null, '2026-11-21T14:08'],
  'bkash-cash-out.txt': ['500', '900', '01711000403', 'DKL4BAD003', null, '2026-11-21T11:03'],
  'bkash-cash-out-advert.txt': ['4000', '64120.1', '01811000709', 'BKL4TEA709', null, '2024-11-21T14:09'],
  'bkash-cash-out-masked-payer.txt': ['2500', '31000', '0171XXXX710', 'DKL4TEA710', null, '2026-11-21T14:10'],
  'nagad-payment.txt': ['50', '247.78', '01711000501', '76BAD001', null, '2026-11-21T12:01'],
  'nagad-payment-one-line.txt': ['1250', '20450.75', '01911000711', '76TEA711', null, '2026-11-21T14:11'],
  'nagad-payment-line-breaks-lost.txt': ['75', '322.78', '01911000712', '76TEA712', null, '2026-11-21T14:12'],
  'nagad-payment-crlf.txt': ['75.5', '398.28', '01911000713', '76TEA713', null, '2026-11-21T14:13'],
  'nagad-cash-out.txt': ['500', '15890.45', '01711000503', '76BAD003', null, '2026-11-21T12:03'],
  'nagad-cash-out-one-line.txt': ['3000', '46462.02', '01911000714', '76TEA714', null, '2026-11-21T14:14'],
  'nagad-cash-out-line-breaks-lost.txt': ['2000', '48462.02', '01611000715', '76TEA715', null, '2026-11-21T14:15'],
  'nagad-cash-out-bangla-digits.txt': ['1000', '49462.02', '01611000716', '76TEA716', null, '2026-11-21T14:16'],
  'nagad-cash-out-masked-payer.txt': ['700', '50162.02', '017****0921', '76TEA717', null, '2026-11-21T14:17'],
};

const COMMISSIONS: Record<string, bigint> = {
  'nagad-cash-out.txt': 205n,
  'nagad-cash-out-one-line.txt': 1230n,
  'nagad-cash-out-line-breaks-lost.txt': 820n,
  'nagad-cash-out-bangla-digits.txt': 410n,
  'nagad-cash-out-masked-payer.txt': 287n,
};

const REFUSED = readdirSync(FIXTURES).filter((name) => !(name in COLLECTED));
const REASON_OF: Record<string, UnparsedReason> = {
  unsupported: 'unsupported_format',
  ambiguous: 'ambiguous_text',
  impossible: 'impossible_time',
  other: 'not_collected',
};

describe('a transaction id that spells a label', () => {
  const bkash = (trxId: string, reference: string) =>
    `You have received Tk 500.00 from 01712000345. Ref ${reference}. Fee Tk 0.00. Balance Tk 84,310.25. TrxID ${trxId} at 29/11/2026 06:38`;
  const nagad = (trxId: string, reference: string, end = '\n') =>
    ['Money Received.', 'Amount: Tk 500.00', 'Sender: 01812000345', `Ref: ${reference}${end}TxnID: ${trxId}`]
      .concat('Balance: Tk 20310.75', '29/11/2026 06:38')
      .join('\n');

  it.each([
    ['DKTRXID657', bkash],
    ['DKTXNIDAKQ', bkash],
    ['TRXID657', nagad],
  ])('%s is read', (trxId, text) => {
    expect(parse(text(trxId, 'TEA-77'))).toMatchObject({ status: 'PARSED', trxId, reference: 'TEA-77' });
  });

  it.each([
    bkash('DKTRXID657', 'TRXID ABCDEF1234'),
    bkash('DKT0000657', 'TrxID TRXIDABCDE'),
    nagad('7200XCJB', 'TXNID TRXID657'),
    nagad('7200XCJB', 'TXNIDX', ''),
    nagad('7200XCJB', 'TXNID X', ''),
  ])('does not hide another label: %j', (text) => {
    expect(parse(text)).toMatchObject({ status: 'UNPARSED', reason: 'ambiguous_text' });
  });
});

describe('a text of money that can be collected', () => {
  it.each(Object.entries(COLLECTED))('%s is read with all its facts', (name, expected) => {
    const [amount, balance, senderMsisdn, trxId, reference, time] = expected;
    const parsed = parse(fixture(name));

    if (parsed.status !== 'PARSED') throw new Error(`${name}: ${parsed.reason}`);
    const paymentMethod = methodOf(name);
    expect({ ...parsed, amount: formatAmount(parsed.amount), balance: formatAmount(parsed.balance ?? -1n) }).toEqual({
      status: 'PARSED',
      provider: name.startsWith('bkash') ? 'BKASH' : 'NAGAD',
      kind: KIND_OF[paymentMethod.slice(6)],
      direction: 'IN',
      paymentMethod,
      commission: COMMISSIONS[name] ?? null,
      recipientMsisdn: null,
      signals: expect.any(Array),
      amount,
      fee: name.startsWith('bkash') ? 0n : null,
      balance,
      trxId,
      reference,
      senderMsisdn,
      providerTime: new Date(`${time}:00+06:00`),
    });
  });

  it.each(Object.keys(COLLECTED))('%s is read the same whatever a transport made of its white space', (name) => {
    const text = fixture(name);
    const expected = parse(text);

    expect(parse(text.replaceAll('\r', '').replaceAll('\n', '\r\n'))).toEqual(expected);
    expect(parse(`\n ${text.replaceAll('\n', ' \n')}\r\n`)).toEqual(expected);
    expect(parse(text.replaceAll(' ', '\u00a0'))).toEqual(expected);
    expect(parse(text.replaceAll(' ', '\u2009 '))).toEqual(expected);
    expect({ ...parse(text.replaceAll(' ', '\u200b \ufeff')), signals: expected.signals }).toEqual(expected);
    if (!name.includes('advert-first')) expect(parse(text.replaceAll('\n', ' '))).toEqual(expected);
  });

  it.each(Object.keys(COLLECTED))('%s is not read when it is cut off before the end of its time', (name) => {
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

    expect(parse(fixture(name), sender)).toMatchObject({ status: 'UNPARSED', provider, reason });
  });

  it('is not evidence when a genuine text comes from a sender of the other provider', () => {
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
    expect(identifySender(sender, senderIds)).toEqual({ wallet: provider, isTrusted: true });
  });

  it.each([
    'BKASH-PROMO',
    'bKash Offer',
    'bKashCS',
    'NAGAD-OFFER',
    '16167',
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
  ])('%j is not a trusted sender, and its text is not parsed', (sender) => {
    expect(parse(fixture('bkash-send-money.txt'), sender)).toEqual({
      status: 'UNPARSED',
      provider: null,
      reason: 'untrusted_sender',
      facts: null,
      signals: [],
    });
  });

  it('of notices is parsed but is never evidence', () => {
    const recharge =
      'Received Recharge request of Tk 22.00 for 01511000733. Fee Tk 0.00. Balance Tk 28.00. TrxID DKL4TEA733 at 21/11/2026 14:33. Wait for confirmation.';
    expect(parse(recharge, '16247')).toMatchObject({
      provider: 'BKASH',
      reason: 'not_collected',
      facts: { kind: 'RECHARGE' },
    });
    expect(parse(fixture('bkash-send-money.txt'), '16247')).toMatchObject({
      status: 'UNPARSED',
      provider: 'BKASH',
      reason: 'untrusted_sender',
      facts: { kind: 'SEND_MONEY_RECEIVED', amount: 145_000n },
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

  it('return the text of the payer only as the reference', () => {
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
    const rounds = Array.from({ length: 5 }, () => {
      const started = performance.now();
      for (let again = 0; again < 20; again += 1) parse(text, sender);
      return performance.now() - started;
    });
    // The best of several, because the machine does other things too.
    expect(Math.min(...rounds)).toBeLessThan(100);
  });

  it('are stored as UNPARSED when a parser fails', () => {
    const failing = () => {
      throw new RangeError('no such thing');
    };
    const sms = { sender: 'bKash', message: fixture('bkash-send-money.txt') };
    expect(parseSms(sms, senderIds, { ...READERS, BKASH: failing })).toEqual({
      status: 'UNPARSED',
      provider: 'BKASH',
      reason: 'parser_error',
      facts: null,
      signals: [],
    });
  });

  it("longer than any wallet's text are not parsed", () => {
    const message = fixture('bkash-send-money.txt')
      .trimEnd()
      .padEnd(MAX_TEXT_LENGTH + 1, ' ');
    const failing = () => {
      throw new RangeError('looked at');
    };
    const never = { BKASH: failing, NAGAD: failing, ROCKET: failing, UPAY: failing };
    expect(parseSms({ sender: 'bKash', message }, senderIds, never)).toMatchObject({ reason: 'text_too_long' });
  });
});
