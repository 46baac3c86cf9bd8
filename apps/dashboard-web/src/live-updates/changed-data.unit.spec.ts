import { setImmediate as turn } from 'node:timers/promises';
import { InfiniteQueryObserver, QueryClient, QueryObserver } from '@tanstack/react-query';
import { ChangedData } from './changed-data';

interface Request {
  readonly signal: AbortSignal;
  readonly answer: (value: number) => void;
}

describe('data that has changed', () => {
  let queries: QueryClient;
  let changed: ChangedData;
  let requests: Request[];

  beforeEach(() => {
    queries = new QueryClient();
    changed = new ChangedData(queries);
    requests = [];
  });
  afterEach(() => {
    queries.clear();
  });

  const load = ({ signal }: { readonly signal: AbortSignal }) =>
    new Promise<number>((answer) => requests.push({ signal, answer }));
  const show = (...queryKey: string[]) =>
    void new QueryObserver(queries, { queryKey, queryFn: load }).subscribe(() => undefined);
  async function answer(value = 1): Promise<void> {
    requests.at(-1)?.answer(value);
    for (let turns = 0; turns < 3; turns += 1) await turn();
  }

  it.each(['payments', 'evidence-file', 'intent'])('of payments: a query of %s is loaded again once', async (key) => {
    show(key, 'one');
    await answer();

    changed.announce(['payments']);
    changed.reload(changed.lists);
    expect(requests).toHaveLength(2);

    await answer();
    changed.reload(changed.lists);
    expect(requests).toHaveLength(2);
  });

  it('a request that is slower than the interval is finished, and then loaded again for a change meanwhile', async () => {
    show('payments', 'list');

    for (let intervals = 0; intervals < 3; intervals += 1) {
      changed.announce(['payments']);
      changed.reload(changed.lists);
    }
    expect(requests).toMatchObject([{ signal: { aborted: false } }]);
    await answer();
    changed.reload(changed.lists);

    expect(requests).toHaveLength(2);
  });

  it('a request whose connection has died is made again after a minute', async () => {
    show('payments', 'list');
    await answer();

    for (let intervals = 0; intervals < 17; intervals += 1) {
      expect(requests.map(({ signal }) => signal.aborted)).toEqual(intervals === 0 ? [false] : [false, false]);
      changed.announce(['payments']);
      changed.reload(changed.lists);
    }

    expect(requests.map(({ signal }) => signal.aborted)).toEqual([false, true, false]);
  });

  it('a further page of a list that is being loaded arrives', async () => {
    const list = new InfiniteQueryObserver(queries, {
      queryKey: ['payments', 'list'],
      queryFn: load,
      initialPageParam: 0,
      getNextPageParam: (last: number) => last,
    });
    list.subscribe(() => undefined);
    await answer(1);

    const more = list.fetchNextPage();
    changed.announce(['payments']);
    changed.reload(changed.lists);
    await answer(2);

    expect((await more).data?.pages).toEqual([1, 2]);
  });

  it('statistics are loaded again apart from lists, and not while they are being loaded', async () => {
    show('statistics', 'payments');

    changed.announce(['devices']);
    changed.reload(changed.lists);
    changed.reload(changed.statistics);
    expect(requests).toMatchObject([{ signal: { aborted: false } }]);
    await answer();
    changed.reload(changed.statistics);

    expect(requests).toHaveLength(2);
  });
});
