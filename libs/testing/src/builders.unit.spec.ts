import { aRandomMsisdn, aRandomNagadTrxId, aRandomTrxId, bkashSendMoneyText, nagadSendMoneyText } from './builders';

const AT = new Date('2026-11-21T18:04:59Z');

describe('builders of provider texts', () => {
  it('write what bKash writes, in Bangladesh time and with thousands commas', () => {
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

  it('leave the Ref clause of bKash out when the payer gave none', () => {
    expect(bkashSendMoneyText({ amount: '500' })).toMatch(/^You have received Tk 500\.00 from 01\d{9}\. Fee/);
  });

  it('write what Nagad writes, N/A for no reference and no commas', () => {
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
  it('begin a TrxID of bKash with the day in Bangladesh', () => {
    expect(aRandomTrxId(AT)).toMatch(/^DKM[0-9A-Z]{7}$/);
    expect(aRandomTrxId(new Date('2025-01-09T00:00:00Z'))).toMatch(/^CA9/);
  });

  it('make eight places for Nagad and a mobile number of an operator that exists', () => {
    expect(aRandomNagadTrxId()).toMatch(/^[0-9A-Z]{8}$/);
    expect(aRandomMsisdn()).toMatch(/^01[3-9]\d{8}$/);
  });
});
