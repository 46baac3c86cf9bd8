import { METHOD_TEXTS, paymentMethodSchema, type PaymentMethod } from '@pay/contracts';
import fc from 'fast-check';
import { changeOfBalance, composeSms, usualFee, type ComposedPayment } from './compose-sms';
import { parseSms } from './parse-sms';
import { bkashIdAt, nagadIdAt } from './parsing/trx-id-clocks';

fc.configureGlobal({ seed: 20261123 });

const SENDER_IDS = { BKASH: ['bKash'], NAGAD: ['NAGAD'] };

const digits = (count: number) =>
  fc.integer({ min: 0, max: 10 ** count - 1 }).map((number) => String(number).padStart(count, '0'));
const payer = fc
  .tuple(fc.constantFrom('013', '014', '015', '016', '017', '018', '019'), digits(8))
  .map((parts) => parts.join(''));
const at = fc
  .date({ min: new Date('2026-01-01T00:00:00Z'), max: new Date('2030-01-01T00:00:00Z'), noInvalidDate: true })
  .map((time) => new Date(Math.floor(time.getTime() / 60_000) * 60_000));

function payments(paymentMethod: PaymentMethod): fc.Arbitrary<ComposedPayment> {
  return fc
    .record({
      amount: fc.bigInt({ min: 100n, max: 999_999_999n }),
      before: fc.bigInt({ min: 0n, max: 90_000_000_000n }),
      payer,
      reference: fc.option(fc.constantFrom('TEA-77', '2', 'order 7', 'INV/2041', 'A#1_b'), { nil: null }),
      at,
      random: fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), { minLength: 7, maxLength: 7 }),
    })
    .map(({ before, random, ...rest }) => {
      const draws = [...random];
      const part = () => draws.pop() ?? 0;
      const trxId = paymentMethod.startsWith('BKASH')
        ? bkashIdAt(rest.at, () => Math.floor(part() * 36))
        : nagadIdAt(rest.at, part);
      const fee = usualFee(paymentMethod, rest.amount);
      const balance = before + changeOfBalance({ paymentMethod, amount: rest.amount, fee });
      return { ...rest, paymentMethod, trxId, fee, balance };
    });
}

describe.each(paymentMethodSchema.options)('a composed text of %s', (paymentMethod) => {
  const sender = paymentMethod.startsWith('BKASH') ? 'bKash' : 'NAGAD';

  it('is parsed back into the payment, without a forgery signal', () => {
    fc.assert(
      fc.property(payments(paymentMethod), (payment) => {
        const message = composeSms(payment);
        const parsed = parseSms({ sender, message, receivedAt: payment.at }, SENDER_IDS);

        expect(parsed).toMatchObject({
          status: 'PARSED',
          direction: 'IN',
          paymentMethod,
          amount: payment.amount,
          balance: payment.balance,
          trxId: payment.trxId,
          providerTime: payment.at,
          reference: METHOD_TEXTS[paymentMethod].carriesReference ? payment.reference : null,
          senderMsisdn:
            paymentMethod === 'BKASH_PAYMENT'
              ? `${payment.payer.slice(0, 4)}XXXX${payment.payer.slice(-3)}`
              : payment.payer,
          signals: [],
        });
      }),
      { numRuns: 300 },
    );
  });
});

it('shows the commission of an agent in a Nagad Cash Out and the fee in bKash texts', () => {
  const payment: ComposedPayment = {
    paymentMethod: 'NAGAD_CASHOUT',
    amount: 210_000n,
    fee: usualFee('NAGAD_CASHOUT', 210_000n),
    balance: 900_000n,
    payer: '01712345678',
    reference: null,
    trxId: '76A0B1C2',
    at: new Date('2026-11-23T06:00:00Z'),
  };

  expect(composeSms(payment)).toContain('\nComm: Tk 8.61\n');
  expect(composeSms({ ...payment, paymentMethod: 'BKASH_SEND_MONEY', fee: 185n })).toContain(' Fee Tk 1.85. ');
});

it('draws bKash and Nagad ids that differ from each other', () => {
  const now = new Date('2026-11-23T06:00:00Z');
  // Seeded: two of 2,000 Nagad ids are equal for one in 500 seeds.
  const draws = fc.sample(fc.noBias(fc.integer({ min: 0, max: 2 ** 30 - 1 })), { numRuns: 18_000, seed: 20261123 });
  const part = () => (draws.pop() ?? 0) / 2 ** 30;
  const bkash = new Set(Array.from({ length: 2_000 }, () => bkashIdAt(now, () => Math.floor(part() * 36))));
  const nagad = new Set(Array.from({ length: 2_000 }, () => nagadIdAt(now, part)));

  expect([...bkash].every((id) => /^DKN[0-9A-Z]{7}$/.test(id))).toBe(true);
  expect({ bkash: bkash.size, nagad: nagad.size }).toEqual({ bkash: 2_000, nagad: 2_000 });
});
