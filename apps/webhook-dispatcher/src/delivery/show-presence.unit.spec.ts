import { createPresence } from './show-presence';

function presence(check: () => Promise<unknown>, ...rows: object[][]) {
  let logged: (event: string) => void;
  const firstLine = new Promise<string>((resolve) => (logged = resolve));
  const warn = jest.fn((_fields: object, event: string) => logged(event));
  const runner = {
    query: jest.fn((text: string) => (text === 'select 1' ? check() : Promise.resolve([]))),
    release: jest.fn(() => Promise.resolve()),
  };
  const db = {
    dataSource: { createQueryRunner: () => runner },
    query: jest.fn(() => Promise.resolve(rows.shift() ?? [])),
  };
  const poke = jest.fn();
  const show = createPresence({ db, workerId: 'this process', log: { warn }, poke } as never);
  return { show, firstLine, warn, runner, poke };
}

it('releases the leases of dead senders and wakes the poll loop', async () => {
  const { show, firstLine, warn, poke } = presence(() => Promise.resolve(), [{ id: 'dead' }], [{ count: 2 }]);

  const shown = show();
  await firstLine;
  await shown.leave();

  expect(warn.mock.calls).toEqual([[{ senders: ['dead'], deliveries: 2 }, 'delivery.leases_released']]);
  expect(poke).toHaveBeenCalledTimes(1);
});

it('releases its connection and stays when the session of its lock is lost', async () => {
  const lost = new Error('connection lost');
  const { show, firstLine, warn, runner } = presence(() => Promise.reject(lost));

  const shown = show();
  await firstLine;
  await shown.leave();

  expect(warn.mock.calls).toEqual([[{ err: lost }, 'delivery.presence_lost']]);
  expect(runner.release).toHaveBeenCalledTimes(1);
});
