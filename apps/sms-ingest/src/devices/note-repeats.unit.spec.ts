import { deviceRepeats } from './note-repeats';

it('a repeat that could not be stored makes the run of the task fail and does not end the worker', async () => {
  const stop = new AbortController();
  const log = { error: jest.fn(() => stop.abort()) };
  const db = { execute: jest.fn().mockRejectedValue(new Error('no database')) };
  const repeats = deviceRepeats({ db, log, now: () => new Date(0) } as never);
  repeats.noteRepeat({ deviceId: 'phone', receivedAt: new Date(0), clientMessageId: '1', simSlot: null });

  await repeats.workers()[0]?.run(stop.signal);

  expect(db.execute).toHaveBeenCalledTimes(1);
  expect(log.error.mock.calls).toEqual([[{ task: 'device-repeats', err: new Error('no database') }, 'task.failed']]);
});
