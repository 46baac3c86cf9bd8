import { newId } from './new-id';

describe('newId', () => {
  it('returns distinct, increasing UUIDs of version 7 with the current time', () => {
    const before = Date.now();
    const ids = Array.from({ length: 5_000 }, newId);

    expect(ids.every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id))).toBe(
      true,
    );
    expect(new Set(ids).size).toBe(5_000);
    expect([...ids].sort()).toEqual(ids);
    const time = parseInt(ids[0]?.replace('-', '').slice(0, 12) ?? '', 16);
    expect(time).toBeGreaterThanOrEqual(before);
    expect(time).toBeLessThanOrEqual(Date.now());
  });
});
