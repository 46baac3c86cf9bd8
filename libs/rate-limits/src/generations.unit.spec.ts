import { Generations } from './generations';

describe('generations', () => {
  it('never contain more entries than their bound', () => {
    const entries = new Generations<number>({ most: 1_000, keepMs: 10_000 });
    let most = 0;
    for (let number = 0; number < 20_000; number += 1) {
      entries.set(`key ${number}`, number, number / 100);
      most = Math.max(most, entries.size);
    }
    expect(most).toBeLessThanOrEqual(1_000);
  });

  it('keep used entries while others are added and dropped', () => {
    const entries = new Generations<string>({ most: 100, keepMs: 10_000 });
    entries.set('steady', 'kept', 0);
    for (let number = 0; number < 5_000; number += 1) {
      entries.set(`key ${number}`, 'passing', 1);
      expect(entries.get('steady', 1)).toBe('kept');
    }
  });

  it('keep an entry for its time after its last use, and drop it after twice that time', () => {
    const entries = new Generations<string>({ most: 100, keepMs: 1_000 });
    entries.set('one', 'a', 999);
    expect(entries.get('one', 1_900)).toBe('a');
    expect(entries.get('one', 2_800)).toBe('a');
    expect(entries.get('one', 4_900)).toBeUndefined();
    expect(entries.size).toBe(0);
  });
});
