import { begun, changed, type ReceiverAccountRecord } from './records';

const CREATED = new Date('2026-11-21T10:00:00Z');
const LATER = new Date('2026-11-21T11:00:00Z');

const account: ReceiverAccountRecord = begun(
  {
    id: '01939e5c-0000-7000-8000-000000000001',
    merchantId: '01939e5c-0000-7000-8000-000000000002',
    environment: 'LIVE',
    paymentMethod: 'BKASH_PAYMENT',
    msisdn: '01712345678',
    label: null,
    limits: { dailyAmount: '5000', monthlyAmount: null, dailyCount: 40 },
    isActive: true,
  },
  CREATED,
);

describe('records', () => {
  it('begin with version 1', () => {
    expect(account).toMatchObject({ version: 1, createdAt: CREATED, updatedAt: CREATED, deletedAt: null });
  });

  it('a change takes the next version and its time', () => {
    expect(changed(account, { isActive: false }, LATER)).toEqual({
      ...account,
      isActive: false,
      version: 2,
      updatedAt: LATER,
    });
  });

  it('a change to the current value is no change', () => {
    expect(changed(account, { isActive: true, msisdn: '01712345678' }, LATER)).toBe(account);
  });

  it('times and lists are compared by value', () => {
    const record = { ...account, methods: ['A', 'B'], at: CREATED };

    expect(changed(record, { methods: ['A', 'B'], at: new Date(CREATED) }, LATER)).toBe(record);
    expect(changed(record, { methods: ['A'] }, LATER)).not.toBe(record);
  });
});
