import { formatAmount, type PaymentMethod } from '@pay/contracts';
import fc from 'fast-check';
import { parseSms } from '../parse-sms';

// The same in every run, so that no change fails by chance.
fc.configureGlobal({ seed: 20261121 });

const senderIds = { BKASH: ['bKash'], NAGAD: ['NAGAD'] };

interface Payment {
  /** Poisha. */
  readonly amount: bigint;
  readonly balance: bigint;
  readonly payer: string;
  readonly trxId: string;
  readonly reference: string;
  readonly at: Date;
  readonly advert: string;
}

interface Variant {
  readonly name: string;
  readonly method: PaymentMethod;
  readonly takesReference: boolean;
  readonly text: (payment: Payment) => string;
}

const twoDecimals = (amount: bigint) => `${amount / 100n}.${String(amount % 100n).padStart(2, '0')}`;
const commas = (amount: bigint) => twoDecimals(amount).replace(/\B(?=(\d{3})+\.)/g, ',');

function dhaka(at: Date): string {
  const iso = new Date(at.getTime() + 6 * 3_600_000).toISOString();
  return `${iso.slice(8, 10)}/${iso.slice(5, 7)}/${iso.slice(0, 4)} ${iso.slice(11, 16)}`;
}

const tail = ({ balance, trxId, at, advert }: Payment) =>
  `Fee Tk 0.00. Balance Tk ${commas(balance)}. TrxID ${trxId} at ${dhaka(at)}${advert}`;
const nagadTail = ({ balance, trxId, at }: Payment, commission = '') => [
  `TxnID: ${trxId}`,
  ...(commission === '' ? [] : [`Comm: Tk ${commission}`]),
  `Balance: Tk ${twoDecimals(balance)}`,
  dhaka(at),
];
const moneyReceived = (payment: Payment) => [
  'Money Received.',
  `Amount: Tk ${twoDecimals(payment.amount)}`,
  `Sender: ${payment.payer}`,
  `Ref: ${payment.reference}`,
  ...nagadTail(payment),
];
const toCustomer = (title: string, payment: Payment, commission?: string) => [
  `${title} Received.`,
  `Amount: Tk ${twoDecimals(payment.amount)}`,
  `Customer: ${payment.payer}`,
  ...nagadTail(payment, commission),
];

const VARIANTS: readonly Variant[] = [
  {
    name: 'bKash Send Money',
    method: 'BKASH_SEND_MONEY',
    takesReference: true,
    text: (p) => `You have received Tk ${commas(p.amount)} from ${p.payer}. Ref ${p.reference}. ${tail(p)}`,
  },
  {
    name: 'bKash Send Money, Ref glued',
    method: 'BKASH_SEND_MONEY',
    takesReference: true,
    text: (p) => `You have received Tk ${commas(p.amount)} from ${p.payer}.Ref ${p.reference}. ${tail(p)}`,
  },
  {
    name: 'bKash Send Money without Ref and commas',
    method: 'BKASH_SEND_MONEY',
    takesReference: false,
    text: (p) => `You have received Tk ${twoDecimals(p.amount)} from ${p.payer}. ${tail(p)}`,
  },
  {
    name: 'bKash payment',
    method: 'BKASH_PAYMENT',
    takesReference: true,
    text: (p) => `You have received payment Tk ${commas(p.amount)} from ${p.payer}. Ref ${p.reference}. ${tail(p)}`,
  },
  {
    name: 'bKash payment with a counter',
    method: 'BKASH_PAYMENT',
    takesReference: true,
    text: (p) =>
      `You have received payment Tk ${commas(p.amount)} from ${p.payer}. Ref ${p.reference}. Counter 1. ${tail(p)}`,
  },
  {
    name: 'bKash cash-out',
    method: 'BKASH_CASHOUT',
    takesReference: false,
    text: (p) => `Cash Out Tk ${commas(p.amount)} from ${p.payer} successful. ${tail(p)}`,
  },
  {
    name: 'Nagad money',
    method: 'NAGAD_SEND_MONEY',
    takesReference: true,
    text: (p) => moneyReceived(p).join('\n'),
  },
  {
    name: 'Nagad money in one line',
    method: 'NAGAD_SEND_MONEY',
    takesReference: true,
    text: (p) => moneyReceived(p).join(' '),
  },
  {
    name: 'Nagad payment',
    method: 'NAGAD_PAYMENT',
    takesReference: false,
    text: (p) => toCustomer('Payment', p).join('\r\n'),
  },
  {
    name: 'Nagad payment without line breaks',
    method: 'NAGAD_PAYMENT',
    takesReference: false,
    text: (p) => toCustomer('Payment', p).join(''),
  },
  {
    name: 'Nagad payment with a reference, which is read although its texts usually carry none',
    method: 'NAGAD_PAYMENT',
    takesReference: true,
    text: (p) => toCustomer('Payment', p).toSpliced(3, 0, `Ref: ${p.reference}`).join('\n'),
  },
  {
    name: 'Nagad cash-out',
    method: 'NAGAD_CASHOUT',
    takesReference: false,
    text: (p) => toCustomer('Cash Out', p, '4.10').join('\n'),
  },
  {
    name: 'Nagad cash-out without line breaks',
    method: 'NAGAD_CASHOUT',
    takesReference: false,
    text: (p) => toCustomer('Cash Out', p, '4.10').join(''),
  },
];

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const id = (length: number) =>
  fc
    .array(fc.constantFrom(...Array.from(ALPHABET)), { minLength: length, maxLength: length })
    .map((places) => places.join(''));
const digits = (count: number) =>
  fc.integer({ min: 0, max: 10 ** count - 1 }).map((n) => String(n).padStart(count, '0'));
/** As wallets write them: 01712345678, 0178XXXX694, 017****0921, 0133XXX6909, 01*******21. */
const MASKS = [null, [4, 4], [3, 4], [4, 3], [2, 7]] as const;
const payer = fc
  .tuple(
    fc.constantFrom('013', '014', '015', '016', '017', '018', '019'),
    digits(8),
    fc.constantFrom(...MASKS),
    fc.constantFrom('X', 'x', '*'),
  )
  .map(([operator, rest, mask, sign]) => {
    const whole = operator + rest;
    return mask === null ? whole : whole.slice(0, mask[0]) + sign.repeat(mask[1]) + whole.slice(mask[0] + mask[1]);
  });
const at = fc.date({
  min: new Date('2017-06-01T00:00:00Z'),
  max: new Date('2045-01-01T00:00:00Z'),
  noInvalidDate: true,
});

function payments(method: PaymentMethod): fc.Arbitrary<Payment> {
  const isBkash = method.startsWith('BKASH');
  return fc
    .record({
      amount: fc.bigInt({ min: 1n, max: 999_999_999n }),
      more: fc.bigInt({ min: 0n, max: 9_000_000n }),
      payer,
      trxId: id(isBkash ? 10 : 8),
      reference: fc.constantFrom('tea', 'INV-2041', 'dokan vara 7', 'order no. 7', 'চা ও বিস্কুট', '2'),
      at,
      advert: fc.constantFrom('', '.', '. Download App: https://bKa.sh/8app', '.Priyo Cash Out at 13.95/thousand'),
    })
    .map(({ at: minute, more, ...rest }) => {
      const onTheMinute = new Date(Math.floor(minute.getTime() / 60_000) * 60_000);
      const made = isBkash ? dateCode(onTheMinute) + rest.trxId.slice(3) : rest.trxId;
      return { ...rest, trxId: made, balance: rest.amount + more, at: onTheMinute, advert: isBkash ? rest.advert : '' };
    });
}

function dateCode(minute: Date): string {
  const day = new Date(minute.getTime() + 6 * 3_600_000);
  return [day.getUTCFullYear() - 2013, 10 + day.getUTCMonth(), day.getUTCDate()]
    .map((place) => ALPHABET.charAt(place))
    .join('');
}

function parse({ method }: Variant, message: string) {
  return parseSms({ sender: method.startsWith('BKASH') ? 'bKash' : 'NAGAD', message }, senderIds);
}

describe.each(VARIANTS)('a text of $name', (variant) => {
  it('is parsed to the values of any generated payment', () => {
    fc.assert(
      fc.property(payments(variant.method), (payment) => {
        expect(parse(variant, variant.text(payment))).toMatchObject({
          status: 'PARSED',
          direction: 'IN',
          paymentMethod: variant.method,
          amount: payment.amount,
          balance: payment.balance,
          senderMsisdn: payment.payer,
          trxId: payment.trxId,
          reference: variant.takesReference ? payment.reference : null,
          providerTime: payment.at,
        });
      }),
      { numRuns: 150 },
    );
  });

  // What the text alone can protect: everything but a digit that became another digit, or a place of an id that became
  // another letter or digit. Those are for the balance chain to find; a wrong date code in an id of bKash is flagged.
  it('with one character changed, lost or added has the same values, none, or a signal', () => {
    const strange = fc.constantFrom(...Array.from('0159AXkz .,:-XО৫\u0391\uff15\u200b\n'));
    const change = fc.record({ place: fc.nat(), how: fc.constantFrom('replace', 'drop', 'add'), character: strange });
    fc.assert(
      fc.property(payments(variant.method), change, (payment, { place, how, character }) => {
        const text = variant.text(payment);
        const before = text.slice(0, place % text.length);
        const after = text.slice((place % text.length) + (how === 'add' ? 0 : 1));
        const parsed = parse(variant, before + (how === 'drop' ? '' : character) + after);

        if (parsed.status === 'UNPARSED') return;
        expect(parsed).toMatchObject({ paymentMethod: variant.method, direction: 'IN' });
        if (parsed.signals.some(({ name }) => name !== 'grammar' || variant.method.startsWith('BKASH'))) return;
        const changedIn = (begin: number, length: number) => before.length >= begin && before.length <= begin + length;
        // The first sum in every one of these texts; an equal balance may be written otherwise.
        const [amount = ''] = /(?<=Tk )[\d,.]+\d/.exec(text) ?? [];
        if (!changedIn(text.indexOf('Tk ') + 3, amount.length)) {
          expect(formatAmount(parsed.amount)).toBe(formatAmount(payment.amount));
        }
        const { trxId } = payment;
        if (!changedIn(text.indexOf(trxId), trxId.length)) expect(parsed.trxId).toBe(trxId);
        expect(parsed.trxId).toMatch(/^[0-9A-Z]+$/);
        expect(parsed.trxId).toHaveLength(trxId.length);
      }),
      { numRuns: 600 },
    );
  });

  it('cut at any place has the same values or none', () => {
    fc.assert(
      fc.property(payments(variant.method), fc.nat(), (payment, place) => {
        const text = variant.text(payment);
        const parsed = parse(variant, text.slice(0, place % text.length));
        if (parsed.status === 'UNPARSED') return;
        expect(parsed).toMatchObject({ amount: payment.amount, trxId: payment.trxId, providerTime: payment.at });
      }),
      { numRuns: 300 },
    );
  });
});

describe.each(VARIANTS.filter(({ takesReference }) => takesReference))(
  'what the payer wrote in a text of $name',
  (variant) => {
    const foreign = fc.constantFrom(
      ...['TrxID DKL4BAD001', 'TxnID: 76BAD001', 'Tk 500', 'Tk 500.00', 'Ref tea', 'Fee Tk 0.00.', 'Balance Tk 1.00.'],
      ...[
        'Counter 1',
        'at 21/11/2026 10:00',
        'চা',
        '\n',
        'Amount: Tk 5000.00',
        'Sender: 01711000999',
        ' to 01711000999 ',
      ],
      ...['Money Received.', 'successful.', 'Cash Out Tk 5.00 from 01711000999 successful.', 'N/A', '. ', ' '],
    );
    const reference = fc
      .array(fc.oneof(foreign, fc.string({ maxLength: 12 }), fc.string({ unit: 'grapheme', maxLength: 6 })), {
        maxLength: 14,
      })
      .map((pieces) => pieces.join(' ').slice(0, 200));

    it('never changes amount, id, balance, payer, time or direction', () => {
      fc.assert(
        fc.property(payments(variant.method), reference, (payment, written) => {
          const parsed = parse(variant, variant.text({ ...payment, reference: written }));
          if (parsed.status === 'UNPARSED') {
            expect(parsed.reason).not.toBe('parser_error');
            return;
          }
          expect(parsed).toMatchObject({
            direction: 'IN',
            paymentMethod: variant.method,
            amount: payment.amount,
            balance: payment.balance,
            senderMsisdn: payment.payer,
            trxId: payment.trxId,
            providerTime: payment.at,
          });
        }),
        { numRuns: 400 },
      );
    });
  },
);
