import { trxIdInputSchema } from './trx-id';

describe('trxIdInputSchema', () => {
  it.each([
    [' dkl4a1b2c3\n', 'DKL4A1B2C3'],
    ['75HKUOBF', '75HKUOBF'],
    ['৭৫HKUOBF', '75HKUOBF'],
    ['123456', '123456'],
    ['A'.repeat(20), 'A'.repeat(20)],
  ])('normalises %p to %p', (input, trxId) => {
    expect(trxIdInputSchema.parse(input)).toBe(trxId);
  });

  it.each(['', '12345', 'A'.repeat(21), 'DKL4 A1B2C3', '74HΝΕΚΟ8', 'DKL4A1B2C3;', null, 5, {}])(
    'rejects %p with a message that names the field',
    (input) => {
      const messages = trxIdInputSchema.safeParse(input).error?.issues.map((issue) => issue.message);
      expect(messages).toEqual([expect.stringContaining('trxId')]);
    },
  );
});
