import { onceAtATime } from './once-at-a-time';

function question() {
  const asked: string[] = [];
  const answers: { resolve: (answer: number) => void; reject: (error: Error) => void }[] = [];
  const ask = onceAtATime(
    (key: string) => {
      asked.push(key);
      return new Promise<number>((resolve, reject) => answers.push({ resolve, reject }));
    },
    (key) => key,
  );
  return { ask, asked, answers };
}

describe('a call that runs once at a time', () => {
  it('is shared by all concurrent callers with the same key', async () => {
    const { ask, asked, answers } = question();
    const callers = [ask('a'), ask('a'), ask('a')];

    answers[0]?.resolve(7);

    expect(await Promise.all(callers)).toEqual([7, 7, 7]);
    expect(asked).toEqual(['a']);
  });

  it('is shared by all concurrent callers if there is no key', async () => {
    let calls = 0;
    const ask = onceAtATime(() => Promise.resolve((calls += 1)));

    expect(await Promise.all([ask(), ask()])).toEqual([1, 1]);
    expect(await ask()).toBe(2);
  });

  it('runs again after its result and after a failure', async () => {
    const { ask, asked, answers } = question();
    const first = ask('a');
    answers[0]?.resolve(7);
    await first;

    const second = ask('a');
    answers[1]?.reject(new Error('away'));
    await expect(second).rejects.toThrow('away');
    void ask('a');

    expect(asked).toEqual(['a', 'a', 'a']);
  });

  it('does not wait for a call with another key', () => {
    const { ask, asked } = question();

    void ask('a');
    void ask('b');

    expect(asked).toEqual(['a', 'b']);
  });
});
