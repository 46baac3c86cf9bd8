import { changedFields } from './changed-fields';

describe('changedFields', () => {
  it('lists changed fields, also within lists, and omits equal ones', () => {
    const before = { name: 'Shop', version: 1, scopes: ['a'], same: { x: 1 } };
    const after = { name: 'Shop', version: 2, scopes: ['a', 'b'], same: { x: 1 }, added: null };

    expect(changedFields(before, after)).toEqual([
      { name: 'added', before: undefined, after: null },
      { name: 'scopes', before: ['a'], after: ['a', 'b'] },
      { name: 'version', before: 1, after: 2 },
    ]);
  });

  it('shows every field of something new', () => {
    expect(changedFields(null, { name: 'Shop' })).toEqual([{ name: 'name', before: undefined, after: 'Shop' }]);
  });
});
