import { paymentMethodSchema, type PaymentMethod, type TextPartName } from '@pay/contracts';
import { composeSms } from './compose-sms';
import { textParts } from './text-parts';

const NOTHING = {
  amount: null,
  fee: null,
  commission: null,
  balance: null,
  trxId: null,
  reference: null,
  senderMsisdn: null,
  recipientMsisdn: null,
  providerTime: null,
};
const cut = (message: string, values: Parameters<typeof textParts>[1]) =>
  Object.fromEntries(
    textParts(message, values).map(({ name, from, to }) => [name, message.slice(from, to)]),
  ) as Partial<Record<TextPartName, string>>;

const composed = (paymentMethod: PaymentMethod) =>
  composeSms({
    paymentMethod,
    amount: 125_050n,
    fee: 500n,
    balance: 8_421_075n,
    payer: '01712345678',
    reference: 'TEA-77',
    trxId: paymentMethod.startsWith('NAGAD') ? '71AB2C3D' : 'DKL4TEA001',
    at: new Date('2026-11-21T13:00:00Z'),
  });

it.each(paymentMethodSchema.options)('finds every value of a text of %s at its place', (method) => {
  const message = composed(method);
  const values = {
    ...NOTHING,
    amount: '1250.5',
    balance: '84210.75',
    fee: method.startsWith('BKASH') ? '5' : null,
    commission: method === 'NAGAD_CASHOUT' ? '5' : null,
    trxId: method.startsWith('NAGAD') ? '71AB2C3D' : 'DKL4TEA001',
    reference: method.endsWith('CASHOUT') || method === 'NAGAD_PAYMENT' ? null : 'TEA-77',
    senderMsisdn: method === 'BKASH_PAYMENT' ? '0171XXXX678' : '01712345678',
    providerTime: '2026-11-21T13:00:00.000Z',
  };

  const found = cut(message, values);

  const expected = Object.entries(values).filter(([, value]) => value !== null);
  expect(Object.keys(found).sort()).toEqual(expected.map(([name]) => name).sort());
  expect(found).toMatchObject({
    trxId: values.trxId,
    senderMsisdn: values.senderMsisdn,
    providerTime: '21/11/2026 19:00',
  });
  expect(found.amount?.replace(',', '')).toBe('1250.50');
  expect(found.balance?.replace(',', '')).toBe('84210.75');
});

it('distinguishes equal sums by their labels', () => {
  const message = 'You have received Tk 50.00 from 01712345678. Fee Tk 50.00. Balance Tk 50.00. TrxID A1B2C3D4E5';
  const parts = textParts(message, { ...NOTHING, amount: '50', fee: '50', balance: '50' });

  expect(parts).toEqual([
    { name: 'amount', from: message.indexOf('50.00'), to: message.indexOf('50.00') + 5 },
    { name: 'fee', from: message.indexOf('Fee Tk ') + 7, to: message.indexOf('Fee Tk ') + 12 },
    { name: 'balance', from: message.indexOf('Balance Tk ') + 11, to: message.indexOf('Balance Tk ') + 16 },
  ]);
});

it('does not take a fee that comes first for the amount', () => {
  const message = 'Fee Tk 50.00. You have received Tk 50.00 from 01712345678.';
  const [amount] = textParts(message, { ...NOTHING, amount: '50' });

  expect(amount?.from).toBe(message.lastIndexOf('50.00'));
});

it('finds a short reference only behind its label, and values in Bangla digits at their places', () => {
  const message = 'You have received Tk ১১.০০ from 01712345611. Ref 11. Fee Tk 0.00.';

  const parts = textParts(message, { ...NOTHING, amount: '11', reference: '11' });

  expect(parts.map(({ name, from, to }) => [name, message.slice(from, to)])).toEqual([
    ['amount', '১১.০০'],
    ['reference', '11'],
  ]);
  expect(parts[1]?.from).toBe(message.indexOf('Ref 11') + 4);
});

it('leaves out what the text does not contain as a whole word, and never overlaps', () => {
  expect(cut('TrxID ADKL4TEA001', { ...NOTHING, trxId: 'DKL4TEA001' })).toEqual({});
  expect(cut('TrxID DKL4TEA001B', { ...NOTHING, trxId: 'DKL4TEA001' })).toEqual({});
  const parts = textParts('Ref 01712345678 from 01712345678', {
    ...NOTHING,
    reference: '01712345678',
    senderMsisdn: '01712345678',
  });
  expect(parts).toHaveLength(1);
});

it('reads a reference with signs of regular expressions as text', () => {
  expect(cut('Ref a.*(b). Fee Tk 0.00', { ...NOTHING, reference: 'a.*(b)' })).toEqual({ reference: 'a.*(b)' });
});
