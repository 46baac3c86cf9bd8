import { deviceRepeats } from './note-repeats';

it('a repeat that could not be stored is counted in the log and does not end the worker', async () => {
  const stop = new AbortController();
  const log = { warn: jest.fn(() => stop.abort()), error: jest.fn() };
  const db = { execute: jest.fn().mockRejectedValue(new Error('no database')) };
  const repeats = deviceRepeats({ db, log, now: () => new Date(0) } as never);
  repeats.noteRepeat({ deviceId: 'phone', receivedAt: new Date(0), clientMessageId: '1', simSlot: null });

  await repeats.workers()[0]?.run(stop.signal);

  expect(db.execute).toHaveBeenCalledTimes(1);
  expect(log.warn.mock.calls).toEqual([[{ err: new Error('no database'), messages: 1 }, 'device.repeats_not_stored']]);
  expect(log.error).not.toHaveBeenCalled();
});
