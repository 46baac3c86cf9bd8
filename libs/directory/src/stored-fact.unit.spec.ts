import type { EventOf } from '@pay/contracts';
import { factsAmong } from './stored-fact';

const MERCHANT = '01939e5c-0000-7000-8000-000000000001';

function merchantChanged(version: number, name: string): EventOf {
  return {
    id: `01939e5c-0000-7000-8000-00000000010${version}`,
    type: 'merchant.changed',
    version: 1,
    occurredAt: '2026-11-21T10:00:00Z',
    environment: null,
    merchantId: MERCHANT,
    aggregateId: MERCHANT,
    sequence: version,
    data: { id: MERCHANT, version, deleted: false, name, isActive: true, enabledMethods: [] },
  };
}

describe('factsAmong', () => {
  it('keeps the newest version of a fact in any order of a batch', () => {
    const facts = factsAmong(
      [merchantChanged(2, 'two'), merchantChanged(3, 'three'), merchantChanged(1, 'one')],
      ['merchant'],
    );

    expect(facts).toHaveLength(1);
    expect(facts[0]).toMatchObject({ kind: 'merchant', id: MERCHANT, version: 3, data: { name: 'three' } });
  });

  it('omits kinds that this service does not copy', () => {
    expect(factsAmong([merchantChanged(1, 'one')], ['api_key', 'device'])).toEqual([]);
  });
});
