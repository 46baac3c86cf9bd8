import { BusinessError } from '@pay/contracts';
import { openAdmission, type Bound } from './admission';

const phone = { id: 'phone', merchantId: 'shop' };
const second = { id: 'second', merchantId: 'shop' };
const third = { id: 'third', merchantId: 'shop' };
const other = { id: 'other', merchantId: 'neighbour' };

function anAdmission() {
  let now = 0;
  const refused: Bound[] = [];
  const bounds = { all: 30, perMerchant: 20, perDevice: 10, longestWaitMs: 5_000 };
  const admission = openAdmission(bounds, { clock: () => now, noteRefusal: (bound) => refused.push(bound) });
  return { ...admission, refused, pass: (ms: number) => void (now += ms) };
}

function busyOf(act: () => unknown): number | undefined {
  try {
    act();
  } catch (error) {
    if (error instanceof BusinessError && error.code === 'BUSY') return error.retryAfterSeconds;
    throw error;
  }
  return undefined;
}

it('limits the waiting SMS per phone, per merchant and in total until they are stored', () => {
  const { admit, refused } = anAdmission();
  const release = admit(phone, 10);
  expect(busyOf(() => admit(phone, 1))).toBe(1);
  admit(second, 10);
  expect(busyOf(() => admit(third, 1))).toBe(1);
  admit(other, 10);
  expect(busyOf(() => admit({ id: 'fourth', merchantId: 'third shop' }, 1))).toBe(1);
  expect(refused).toEqual(['device', 'merchant', 'all']);

  release();
  expect(busyOf(() => admit(phone, 10))).toBeUndefined();
});

it('accepts a batch completely or not at all', () => {
  const { admit } = anAdmission();
  admit(phone, 5);

  expect(busyOf(() => admit(phone, 6))).toBeDefined();
  expect(busyOf(() => admit(phone, 5))).toBeUndefined();
});

it('returns a Retry-After of the current waiting time to a merchant whose SMS take too long, and to no other', () => {
  const { admit, refusalOf, pass } = anAdmission();
  const release = admit(phone, 1);
  pass(5_001);
  admit(other, 1);

  expect(refusalOf(second)?.retryAfterSeconds).toBe(7);
  expect(refusalOf(other)).toBeUndefined();
  release();
  expect(refusalOf(second)).toBeUndefined();
});
