import { EventEmitter } from 'node:events';
import { BusinessError } from '@pay/contracts';
import { openCsvExports, type Columns, type ExportPage, type Outlet } from './stream-csv';

interface Row {
  readonly name: string;
  readonly amount: string;
}
const COLUMNS: Columns<Row> = [
  ['name', ({ name }) => ({ text: name })],
  ['amount', ({ amount }) => ({ number: amount })],
];

/** A response whose client reads as much as the test allows. */
class FakeResponse extends EventEmitter {
  text = '';
  head: Record<string, unknown> | undefined;
  isEnded = false;
  destroyed = false;
  writableNeedDrain = false;
  isSlow = false;
  writeHead(_status: number, headers: Record<string, unknown>): this {
    this.head = headers;
    return this;
  }
  write(text: string, written?: () => void): boolean {
    this.text += text;
    // A response that is closed never asks to wait.
    this.writableNeedDrain = this.isSlow && !this.destroyed;
    if (!this.isSlow) written?.();
    return !this.isSlow;
  }
  end(): this {
    this.isEnded = true;
    return this;
  }
  destroy(): this {
    this.destroyed = true;
    this.emit('close');
    return this;
  }
  take(): void {
    this.writableNeedDrain = false;
    this.emit('drain');
  }
}

function pagesOf(pages: readonly (ExportPage<Row> | Error)[]) {
  const asked: (string | undefined)[] = [];
  const page = (after: string | undefined) => {
    const next = pages[asked.push(after) - 1];
    return next instanceof Error || next === undefined
      ? Promise.reject(next ?? new Error('no page'))
      : Promise.resolve(next);
  };
  return { asked, page };
}
const row = (name: string): Row => ({ name, amount: '5.50' });
const send = (
  response: FakeResponse,
  page: (after: string | undefined) => Promise<ExportPage<Row>>,
  {
    method = 'GET',
    exports = openCsvExports(),
    assertPermitted = () => Promise.resolve(),
    userId = 'u1',
    merchantId = 'm1',
  } = {},
) =>
  exports.send(response as unknown as Outlet, method, {
    userId,
    merchantId,
    fileName: 'payments.csv',
    columns: COLUMNS,
    page,
    assertPermitted,
  });

it('sends all pages as one file that spreadsheets read as UTF-8', async () => {
  const response = new FakeResponse();
  const { asked, page } = pagesOf([
    { data: [row('ক')], nextCursor: 'a' },
    { data: [], nextCursor: 'b' },
    { data: [row('=1+1')], nextCursor: null },
  ]);

  await send(response, page);

  expect(response.text).toBe("\ufeffname,amount\r\nক,5.50\r\n'=1+1,5.50\r\n");
  expect(asked).toEqual([undefined, 'a', 'b']);
  expect(response).toMatchObject({
    isEnded: true,
    head: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': 'attachment; filename="payments.csv"',
    },
  });
});

it('reads the next page only when the client has taken the one before', async () => {
  const response = new FakeResponse();
  response.isSlow = true;
  const { asked, page } = pagesOf([
    { data: [row('a')], nextCursor: 'a' },
    { data: [row('b')], nextCursor: null },
  ]);

  const sent = send(response, page);
  await new Promise(setImmediate);
  expect(asked).toHaveLength(1);
  response.isSlow = false;
  response.take();
  await sent;

  expect(asked).toHaveLength(2);
  expect(response.isEnded).toBe(true);
});

it('reads no further page when the client has gone', async () => {
  const response = new FakeResponse();
  response.isSlow = true;
  const { asked, page } = pagesOf([{ data: [row('a')], nextCursor: 'a' }]);

  const sent = send(response, page);
  await new Promise(setImmediate);
  response.destroy();
  await sent;

  expect(asked).toHaveLength(1);
  expect(response.isEnded).toBe(false);
});

it('sends nothing and reads no further page when the client has gone during the first page', async () => {
  const response = new FakeResponse();
  const { asked, page } = pagesOf([
    { data: [row('a')], nextCursor: 'a' },
    { data: [row('b')], nextCursor: null },
  ]);

  const sent = send(response, page);
  response.destroy();
  await sent;

  expect(asked).toEqual([undefined]);
  expect(response).toMatchObject({ head: undefined, text: '', isEnded: false });
});

it('reads no page when the client has gone before the export begins', async () => {
  const response = new FakeResponse().destroy();
  const { asked, page } = pagesOf([{ data: [row('a')], nextCursor: null }]);

  await send(response, page);

  expect(asked).toHaveLength(0);
});

it('fails without a head if the first page fails, and without an end if a later one does', async () => {
  const [early, late] = [new FakeResponse(), new FakeResponse()];

  await expect(send(early, pagesOf([new Error('away')]).page)).rejects.toThrow('away');
  await expect(send(late, pagesOf([{ data: [], nextCursor: 'a' }, new Error('away')]).page)).rejects.toThrow('away');

  expect(early.head).toBeUndefined();
  expect(late).toMatchObject({ isEnded: false, head: expect.anything() });
});

it.each([
  ['UNAUTHORIZED', 'because the session has ended.'],
  ['FORBIDDEN', 'because the role may no longer export this list.'],
] as const)(
  'reads no page after the session check returned %s, and ends with a line that reports it',
  async (code, why) => {
    const response = new FakeResponse();
    const { asked, page } = pagesOf([
      { data: [row('a')], nextCursor: 'a' },
      { data: [row('b')], nextCursor: 'b' },
      { data: [row('c')], nextCursor: null },
    ]);
    let checks = 0;
    const assertPermitted = () => ((checks += 1) < 2 ? Promise.resolve() : Promise.reject(new BusinessError(code)));

    await expect(send(response, page, { assertPermitted })).rejects.toMatchObject({ code });

    expect(asked).toEqual([undefined, 'a']);
    expect(response.isEnded).toBe(false);
    const [head, a, b, last, ...rest] = response.text.split('\r\n');
    expect([head, a, b, ...rest]).toEqual(['\ufeffname,amount', 'a,5.50', 'b,5.50', '']);
    expect(last).toMatch(/^INCOMPLETE: /);
    expect(last).toContain(why);
  },
);

it('ends with a line that names the missing rows if a page cannot be read', async () => {
  const response = new FakeResponse();

  await expect(
    send(response, pagesOf([{ data: [row('a')], nextCursor: 'a' }, new Error('away')]).page),
  ).rejects.toThrow('away');

  expect(response.text).toMatch(/\r\nINCOMPLETE: rows are missing because the rows could not be read\./);
});

it('answers HEAD with the head alone', async () => {
  const response = new FakeResponse();

  await send(response, pagesOf([{ data: [row('a')], nextCursor: 'a' }]).page, { method: 'HEAD' });

  expect(response).toMatchObject({ text: '', isEnded: true });
});

it('runs a bounded number of exports at the same time, and another one when one has ended', async () => {
  const exports = openCsvExports({ most: 1 });
  const slow = new FakeResponse();
  slow.isSlow = true;
  const last = { data: [row('a')], nextCursor: null };
  const first = send(slow, pagesOf([last]).page, { exports });
  await new Promise(setImmediate);

  await expect(send(new FakeResponse(), pagesOf([last]).page, { exports })).rejects.toMatchObject({
    code: 'RATE_LIMITED',
  });
  slow.take();
  await first;
  await expect(send(new FakeResponse(), pagesOf([last]).page, { exports })).resolves.toBeUndefined();
});

it('runs four exports of a user at the same time, and meanwhile those of other users', async () => {
  const exports = openCsvExports();
  const slow = Array.from({ length: 4 }, () => new FakeResponse());
  const last = { data: [row('a')], nextCursor: null };
  const running = slow.map((response) => {
    response.isSlow = true;
    return send(response, pagesOf([last]).page, { exports });
  });
  await new Promise(setImmediate);

  await expect(send(new FakeResponse(), pagesOf([last]).page, { exports })).rejects.toMatchObject({
    code: 'RATE_LIMITED',
  });
  await expect(send(new FakeResponse(), pagesOf([last]).page, { exports, userId: 'u2' })).resolves.toBeUndefined();
  slow.forEach((response) => response.take());
  await Promise.all(running);
  await expect(send(new FakeResponse(), pagesOf([last]).page, { exports })).resolves.toBeUndefined();
});

it('runs eight exports of a merchant at the same time, and meanwhile those of other merchants', async () => {
  const exports = openCsvExports();
  const slow = Array.from({ length: 8 }, () => new FakeResponse());
  const last = { data: [row('a')], nextCursor: null };
  const running = slow.map((response, index) => {
    response.isSlow = true;
    return send(response, pagesOf([last]).page, { exports, userId: `u${index}` });
  });
  await new Promise(setImmediate);
  const another = (merchantId: string) =>
    send(new FakeResponse(), pagesOf([last]).page, { exports, userId: 'u9', merchantId });

  await expect(another('m1')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  await expect(another('m2')).resolves.toBeUndefined();
  slow.forEach((response) => response.take());
  await Promise.all(running);
  await expect(another('m1')).resolves.toBeUndefined();
});

describe('an export whose client reads nothing', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('ends after 30 seconds, without reading a further page', async () => {
    const response = new FakeResponse();
    response.isSlow = true;
    const { asked, page } = pagesOf([
      { data: [row('a')], nextCursor: 'a' },
      { data: [row('b')], nextCursor: null },
    ]);
    const closed = jest.fn();
    response.on('close', closed);

    const sent = send(response, page);
    await jest.advanceTimersByTimeAsync(29_999);
    expect(closed).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(1);
    await sent;

    expect(closed).toHaveBeenCalledTimes(1);
    expect(asked).toHaveLength(1);
    expect(response.isEnded).toBe(false);
  });

  it('has 30 seconds for each page', async () => {
    const response = new FakeResponse();
    response.isSlow = true;
    const { page } = pagesOf([
      { data: [row('a')], nextCursor: 'a' },
      { data: [row('b')], nextCursor: null },
    ]);

    const sent = send(response, page);
    for (let pages = 0; pages < 2; pages += 1) {
      await jest.advanceTimersByTimeAsync(29_999);
      response.take();
    }
    await sent;

    expect(response.isEnded).toBe(true);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('ends after 30 seconds also if only the line about missing rows is unread', async () => {
    const response = new FakeResponse();
    const page = (after: string | undefined) => {
      if (after === undefined) return Promise.resolve({ data: [row('a')], nextCursor: 'a' });
      response.isSlow = true;
      return Promise.reject(new Error('away'));
    };

    const failure = send(response, page).catch((error: unknown) => error);
    await jest.advanceTimersByTimeAsync(30_000);

    expect(await failure).toEqual(new Error('away'));
  });
});
