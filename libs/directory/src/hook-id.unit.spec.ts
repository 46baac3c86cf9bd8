import { randomUUID } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import { deviceOfHook, newHookId } from './hook-id';

describe('the end of a hook’s address', () => {
  it('names its device', () => {
    const deviceId = uuidv7();
    expect(deviceOfHook(newHookId(deviceId))).toBe(deviceId);
  });

  it('names none where no device could have that id: nobody is asked about it', () => {
    expect(deviceOfHook(newHookId(randomUUID()))).toBeUndefined();
    expect(deviceOfHook('A'.repeat(64))).toBeUndefined();
    expect(deviceOfHook(`${newHookId(uuidv7())}A`)).toBeUndefined();
  });
});
