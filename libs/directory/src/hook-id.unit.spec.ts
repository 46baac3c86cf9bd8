import { randomUUID } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import { deviceOfHook, newHookId } from './hook-id';

describe('a hook id', () => {
  it('contains the id of its device', () => {
    const deviceId = uuidv7();
    expect(deviceOfHook(newHookId(deviceId))).toBe(deviceId);
  });

  it('without a possible device id is refused without a look-up', () => {
    expect(deviceOfHook(newHookId(randomUUID()))).toBeUndefined();
    expect(deviceOfHook('A'.repeat(64))).toBeUndefined();
    expect(deviceOfHook(`${newHookId(uuidv7())}A`)).toBeUndefined();
  });
});
