import { eventually } from './eventually';

describe('eventually', () => {
  it('returns the first result that is neither false nor nothing', async () => {
    const answers = [undefined, false, null, 'at last', 'too late'] as const;
    let asked = 0;

    expect(await eventually(() => answers[asked++], 'an answer comes')).toBe('at last');
  });

  it('accepts zero and the empty string as results', async () => {
    expect(await eventually(() => 0, 'a zero comes')).toBe(0);
    expect(await eventually(() => '', 'a text comes')).toBe('');
  });

  it('reports the condition that never became true and the last error', async () => {
    const probe = () => Promise.reject(new Error('connection refused'));

    await expect(eventually(probe, 'the row becomes PAID', { timeoutMs: 20 })).rejects.toThrow(
      'Not within 0.02 s: the row becomes PAID; the last try failed: connection refused',
    );
  });

  it('does not report an earlier error if the last attempt returned false', async () => {
    let asked = 0;
    const probe = () => {
      asked += 1;
      if (asked === 1) throw new Error('not yet there');
      return false;
    };
    // The time is over at the second attempt, whatever the duration of the first.
    const now = jest.spyOn(Date, 'now').mockImplementation(() => (asked < 2 ? 0 : 30));

    await expect(eventually(probe, 'it happens', { timeoutMs: 30 })).rejects.toThrow(/^Not within 0.03 s: it happens$/);
    now.mockRestore();
  });
});
