import type * as LiveStatus from './live-status';
import { aView } from '../../../test/a-view';
import { pageUnderTest } from '../../../test/page-under-test';

const POLL_MS = 3_000;

describe('the live status of the payment page', () => {
  const { fetch: realFetch } = globalThis;
  let page: ReturnType<typeof pageUnderTest>;
  let polls: number;

  beforeEach(() => {
    jest.resetModules();
    jest.useFakeTimers();
    page = pageUnderTest({}, { pending: 'true' });
    polls = 0;
    globalThis.fetch = () => {
      polls += 1;
      return Promise.resolve(new Response(null, { status: 304 }));
    };
    Object.assign(globalThis, { EventSource: Stream, addEventListener: () => undefined });
  });
  afterEach(() => {
    jest.useRealTimers();
    page.close();
    globalThis.fetch = realFetch;
    for (const name of ['EventSource', 'addEventListener']) Reflect.deleteProperty(globalThis, name);
  });

  function watched(): Stream {
    jest.requireActual<typeof LiveStatus>('./live-status').watchStatus();
    return Stream.last;
  }
  const view = () => JSON.stringify(aView({ status: 'PENDING' }));
  async function pollsWithin(intervals: number): Promise<number> {
    const before = polls;
    await jest.advanceTimersByTimeAsync(intervals * POLL_MS);
    return polls - before;
  }

  it('polls while the stream is interrupted, and no longer after a reconnect that sends no view', async () => {
    const stream = watched();
    stream.emit('open');
    stream.emit('checkout', view());
    expect(await pollsWithin(5)).toBe(0);

    stream.emit('error');
    expect(await pollsWithin(2)).toBe(2);
    stream.emit('open');

    expect(await pollsWithin(5)).toBe(0);
  });

  it('polls while a stream is open that has not sent a view', async () => {
    watched().emit('open');

    expect(await pollsWithin(5)).toBe(5);
  });
});

/** A stream of the browser, which reconnects automatically. */
class Stream extends EventTarget {
  static readonly CLOSED = 2;
  static last: Stream;
  readonly readyState = 1;
  onopen: (() => void) | null = null;

  constructor() {
    super();
    Stream.last = this;
    this.addEventListener('open', () => this.onopen?.());
  }

  emit(type: string, data?: string): void {
    this.dispatchEvent(Object.assign(new Event(type), { data }));
  }

  close(): void {
    // The page opens another one.
  }
}
