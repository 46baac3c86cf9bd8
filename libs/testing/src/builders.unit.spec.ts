import { aRandomMsisdn, aRandomNagadTrxId, aRandomTrxId, bkashSendMoneyText, nagadSendMoneyText } from './builders';

const AT = new Date('2026-11-21T18:04:59Z');

describe('builders of SMS texts', () => {
  it('write the bKash wording, in Bangladesh time and with thousands separators', () => {
    const text = bkashSendMoneyText({
      amount: '1234500.5',
      sender: '01712345678',
      reference: 'INV-1',
      trxId: 'DKM0000001',
      at: AT,
      balance: '20',
    });

    expect(text).toBe(
      'You have received Tk 1,234,500.50 from 01712345678. Ref INV-1. Fee Tk 0.00. Balance Tk 20.00. TrxID DKM0000001 at 22/11/2026 00:04',
    );
  });

  it('omit the Ref clause of bKash if the payer gave no reference', () => {
    expect(bkashSendMoneyText({ amount: '500' })).toMatch(/^You have received Tk 500\.00 from 01\d{9}\. Fee/);
  });

  it('write the Nagad wording, with N/A for no reference and no separators', () => {
    const text = nagadSendMoneyText({
      amount: '1500',
      sender: '01812345678',
      trxId: '760VVGGW',
      at: AT,
      balance: '9120.4',
    });

    expect(text.split('\n')).toEqual([
      'Money Received.',
      'Amount: Tk 1500.00',
      'Sender: 01812345678',
      'Ref: N/A',
      'TxnID: 760VVGGW',
      'Balance: Tk 9120.40',
      '22/11/2026 00:04',
    ]);
  });
});

describe('builders of ids', () => {
  it('begin a bKash TrxID with the date in Bangladesh', () => {
    expect(aRandomTrxId(AT)).toMatch(/^DKM[0-9A-Z]{7}$/);
    expect(aRandomTrxId(new Date('2025-01-09T00:00:00Z'))).toMatch(/^CA9/);
  });

  it('return eight digits for Nagad, and a mobile number of an existing operator', () => {
    expect(aRandomNagadTrxId()).toMatch(/^[0-9A-Z]{8}$/);
    expect(aRandomMsisdn()).toMatch(/^01[3-9]\d{8}$/);
  });
});
