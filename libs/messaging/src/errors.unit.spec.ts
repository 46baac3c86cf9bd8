import { reasonOf } from './errors';

describe('the stored reason of a failure', () => {
  it.each([
    ['no phone numbers', new Error('cannot call 01712345678'), 'Error: cannot call …'],
    ['no transaction ids', new Error('DKL4A1B2C3 is used'), 'Error: … is used'],
    [
      'short numbers and words in capitals',
      new Error('NOT NULL, code 23505? 42 PAID'),
      'Error: NOT NULL, code …? 42 PAID',
    ],
    ['nothing of what is not an Error', { secret: 1 }, 'an error that is not an Error'],
  ])('has %s', (_what, error, reason) => {
    expect(reasonOf(error)).toBe(reason);
  });

  it('is limited in length', () => {
    expect(reasonOf(new Error('x '.repeat(1_000))).length).toBe(300);
  });
});
