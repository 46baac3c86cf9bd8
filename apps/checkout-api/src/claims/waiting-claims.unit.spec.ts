import { openWaitingClaims } from './waiting-claims';

function work() {
  let resolve: (id: string) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<string>((...ends) => {
    [resolve, reject] = ends;
  });
  return { run: () => promise, resolve: (id: string) => resolve(id), reject: (error: Error) => reject(error) };
}

it('claims wait long from a second after the submission of the oldest until they are stored or fail', async () => {
  let now = 0;
  const waiting = openWaitingClaims(() => now);
  const [first, second] = [work(), work()];

  const stored = waiting.untilStored(first.run);
  now = 999;
  const failed = waiting.untilStored(second.run);
  expect(waiting.isLong()).toBe(false);
  now = 1_000;
  expect(waiting.isLong()).toBe(true);

  first.resolve('id');
  expect(await stored).toBe('id');
  expect(waiting.isLong()).toBe(false);
  now = 1_999;
  expect(waiting.isLong()).toBe(true);

  second.reject(new Error('the database is away'));
  await expect(failed).rejects.toThrow('the database is away');
  expect(waiting.isLong()).toBe(false);
});
