import { looksLikeTrxId, tidyTrxId } from './tidy-trx-id';

describe('a TrxID typed by a customer', () => {
  test.each([
    ['dkl4a1b2c3', 'DKL4A1B2C3'],
    [' DKL4 A1B2 C3 ', 'DKL4A1B2C3'],
    ['DKL4-A1B2-C3', 'DKL4A1B2C3'],
    ['DKL4A1B2C3.', 'DKL4A1B2C3'],
    ['\u200bDKL৪A১B২C৩', 'DKL4A1B2C3'],
    ['TrxID DKL4A1B2C3', 'DKL4A1B2C3'],
    ['You have sent Tk 500.00 to 01712345678. Balance Tk 10.00. TrxID dkl4a1b2c3 at 21/11/2026 10:42', 'DKL4A1B2C3'],
    ['Money Sent.\nTxnID: 75HKUOBF\nBalance: Tk 1.00', '75HKUOBF'],
  ])('%j is %s', (typed, trxId) => {
    expect(tidyTrxId(typed)).toBe(trxId);
    expect(looksLikeTrxId(trxId)).toBe(true);
  });

  test.each(['', 'abc', 'DKL4A1B2C3<b>', 'ট্রাঞ্জ', '74HΝΕΚΟ8', 'A'.repeat(21)])('is invalid: %j', (typed) => {
    expect(looksLikeTrxId(tidyTrxId(typed))).toBe(false);
  });
});
