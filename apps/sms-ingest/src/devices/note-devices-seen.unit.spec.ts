import { devicesSeen } from './note-devices-seen';

const device = { id: 'phone', merchantId: 'shop', environment: 'LIVE' } as const;

it('a last-seen time that could not be stored is stored by the next write', async () => {
  const stop = new AbortController();
  const writes: unknown[] = [];
  const execute = jest.fn().mockRejectedValueOnce(new Error('no database'));
  execute.mockImplementationOnce((_statement: unknown, [ids]: unknown[]) => {
    writes.push(ids);
    stop.abort();
    return Promise.resolve(1);
  });
  const log = { error: jest.fn() };
  const seen = devicesSeen({ db: { execute }, log, clock: () => 0, intervalMs: 1 } as never);
  seen.noteSeen(device, { by: 'heartbeat' });

  await seen.worker().run(stop.signal);

  expect(log.error.mock.calls).toEqual([[{ task: 'devices-last-seen', err: new Error('no database') }, 'task.failed']]);
  expect(writes).toEqual([[device.id]]);
});
