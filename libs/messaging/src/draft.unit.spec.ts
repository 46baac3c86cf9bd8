import { decodeEvent } from '@pay/contracts';
import { draft } from './draft';

const data = {
  claimId: '0198a5a0-0000-7000-8000-000000000002',
  paymentIntentId: '0198a5a0-0000-7000-8000-000000000003',
  outcome: 'matched',
  smsEventId: null,
};
const rest = {
  environment: 'LIVE',
  merchantId: '0198a5a0-0000-7000-8000-000000000001',
  aggregateId: 'a',
  sequence: 3,
  occurredAt: new Date(0),
} as const;

describe('a draft', () => {
  it('becomes an event that consumers can decode', () => {
    const event = draft('claim.settled', { ...rest, data });

    expect(decodeEvent(JSON.stringify(event))).toEqual({ ...event, traceparent: undefined });
    expect(event).toMatchObject({ version: 1, occurredAt: '1970-01-01T00:00:00.000Z', sequence: 3 });
  });

  it('keeps the given id and otherwise gets a new one', () => {
    const id = '0198a5a0-0000-7000-8000-00000000000a';

    expect(draft('claim.settled', { ...rest, data, id }).id).toBe(id);
    expect(draft('claim.settled', { ...rest, data }).id).not.toBe(draft('claim.settled', { ...rest, data }).id);
  });

  it('is refused when its data violates the contract', () => {
    expect(() => draft('claim.settled', { ...rest, data: { ...data, claimId: 'x' } })).toThrow(/claimId/);
  });

  it('is refused when its data has a field that is not in the contract', () => {
    const more = { ...data, note: 'x' };

    expect(() => draft('claim.settled', { ...rest, data: more })).toThrow('claim.settled has no field note');
  });
});
