import { digitCode, wholeNumber } from './whole-number';

it('digitCode removes white space, also between digits, and reads Bangla digits', () => {
  expect(digitCode(' 123\u00a0456 ')).toBe('123456');
  expect(digitCode('১২৩ ৪৫৬')).toBe('123456');
});

describe('wholeNumber', () => {
  it.each([
    ['12', 12],
    [' 12 ', 12],
    ['১২', 12],
    ['1২', 12],
    ['0', 0],
  ])('reads %j as %d', (text, number) => expect(wholeNumber(text)).toBe(number));

  it.each(['', ' ', '12h', '1.5', '-1', '1e3', '0x10', 'twelve', '১২ ঘণ্টা'])('reads no number in %j', (text) =>
    expect(wholeNumber(text)).toBeUndefined(),
  );
});
