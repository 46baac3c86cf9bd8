import { DatabaseError } from 'pg';
import { isBadValue, isConnectionLoss, isSerializationConflict, isTemporaryFailure, isUniqueViolation } from './errors';

function refused(code: string, constraint?: string): DatabaseError {
  const error = new DatabaseError('refused', 7, 'error');
  error.code = code;
  error.constraint = constraint;
  return error;
}
const system = (code: string) => Object.assign(new Error(code), { code });

describe('a lost connection', () => {
  it.each([
    ['a refused connect', system('ECONNREFUSED')],
    ['a connect refused at every address', new AggregateError([system('ECONNREFUSED'), system('ECONNREFUSED')])],
    ['a reset socket', system('ECONNRESET')],
    ['an administrator ending the session', refused('57P01')],
    ['a server that starts up', refused('57P03')],
    ['too many connections', refused('53300')],
    ['a full disk', refused('53100')],
    ['a primary that became a standby', refused('25006')],
    ['an end without a word', new Error('Connection terminated unexpectedly')],
    ['a pool that is exhausted', new Error('timeout exceeded when trying to connect')],
    ['an answer that never came', new Error('Query read timeout')],
    ['one wrapped by others', new Error('save failed', { cause: { driverError: refused('57P01') } })],
  ])('is %s', (_what, error) => {
    expect(isConnectionLoss(error)).toBe(true);
  });

  it.each([
    ['a unique violation', refused('23505')],
    ['a statement that took too long', refused('57014')],
    ['a deadlock', refused('40P01')],
    ['a programming error', new TypeError('x is not a function')],
    ['nothing at all', undefined],
  ])('is not %s', (_what, error) => {
    expect(isConnectionLoss(error)).toBe(false);
  });
});

describe('other refusals', () => {
  it('identify failures after which the same request may succeed', () => {
    const states = ['57P01', '57014', '55P03', '40001', '40P01', '23505', '22P02', '42601'];
    expect(states.filter((state) => isTemporaryFailure(refused(state)))).toEqual(states.slice(0, 5));
    expect(isTemporaryFailure(new TypeError('x is not a function'))).toBe(false);
  });

  it('identify conflicts that may succeed when repeated', () => {
    expect([refused('40001'), refused('40P01'), refused('23505')].map(isSerializationConflict)).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('identify values that violate a type or constraint', () => {
    const states = ['22003', '22P02', '23502', '23514', '23505', '23503', '57014', '40001'];
    expect(states.filter((state) => isBadValue(refused(state)))).toEqual(['22003', '22P02', '23502', '23514']);
  });

  it('identify unique violations by constraint', () => {
    expect(isUniqueViolation(refused('23505', 'a'), 'a')).toBe(true);
    expect(isUniqueViolation(refused('23505', 'a'), 'b')).toBe(false);
    expect(isUniqueViolation(refused('23503', 'a'), 'a')).toBe(false);
  });
});
