import { DatabaseError } from 'pg';
import { onceDatabaseListens } from './once-database-listens';

const refused = () => Object.assign(new Error('connect ECONNREFUSED 10.96.0.7:5432'), { code: 'ECONNREFUSED' });
const withState = (code: string) => Object.assign(new DatabaseError('refused', 1, 'error'), { code });

function failing(...errors: Error[]) {
  return jest.fn(async () => {
    const error = errors.shift();
    if (error !== undefined) throw error;
    return 'done';
  });
}

describe('onceDatabaseListens', () => {
  it('repeats the attempt while connections are refused and while the server starts up', async () => {
    const onWait = jest.fn();
    const attempt = failing(refused(), new AggregateError([refused()]), withState('57P03'));

    expect(await onceDatabaseListens(attempt, { onWait, pollMs: 1 })).toBe('done');

    expect(attempt).toHaveBeenCalledTimes(4);
    expect(onWait).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['a wrong password', withState('28P01')],
    ['a missing database', withState('3D000')],
    ['a shutdown by the administrator', withState('57P01')],
    ['a name that does not resolve', Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' })],
    ['a connection that breaks', new Error('Connection terminated unexpectedly')],
  ])('throws %s immediately', async (_, error) => {
    const attempt = failing(error);

    await expect(onceDatabaseListens(attempt, { pollMs: 1 })).rejects.toBe(error);

    expect(attempt).toHaveBeenCalledTimes(1);
  });

  it('throws the last refusal when the patience ends', async () => {
    const attempt = jest.fn(() => Promise.reject(refused()));

    await expect(onceDatabaseListens(attempt, { patienceMs: 20, pollMs: 1 })).rejects.toThrow('ECONNREFUSED');

    expect(attempt.mock.calls.length).toBeGreaterThan(1);
  });
});
