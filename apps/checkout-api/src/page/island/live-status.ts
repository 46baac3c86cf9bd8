import type { CheckoutView } from '@pay/contracts';
import { address, inTime, main } from './page-parts';
import { apply, isOpen } from './stages';

const POLL_MS = 3_000;
/** After this time without data the connection may be dead, even without an error. */
const SILENCE_MS = 45_000;

let source: EventSource | undefined;
let receivedAt = 0;
let etag = '';
let isAsking = false;

/** Uses the event stream, and polls while there is none. */
export function watchStatus(): void {
  if (!isOpen()) return;
  connect();
  setInterval(() => {
    if (!isOpen() || document.hidden) return;
    if (!isLive() || performance.now() - receivedAt > SILENCE_MS) void ask();
    if (source?.readyState === EventSource.CLOSED) connect();
  }, POLL_MS);
  addEventListener('online', wake);
  document.addEventListener('visibilitychange', () => document.hidden || wake());
}

/** An unchanged view costs almost nothing (304). */
export async function ask(): Promise<void> {
  if (isAsking) return;
  isAsking = true;
  try {
    await inTime(async (signal) => {
      const headers: HeadersInit = etag === '' ? {} : { 'If-None-Match': etag };
      const answer = await fetch(address, { headers, cache: 'no-store', signal });
      if (answer.status === 200) {
        const view = (await answer.json()) as CheckoutView;
        etag = answer.headers.get('ETag') ?? '';
        received(view);
      } else if (answer.status === 304) receivedAt = performance.now();
    });
  } catch {
    // Ignored: the next poll follows.
  } finally {
    isAsking = false;
  }
}

/** Called when the connection returns or the page becomes visible. */
function wake(): void {
  if (!isOpen()) return;
  connect();
  void ask();
}

function connect(): void {
  if (typeof EventSource === 'undefined') return;
  source?.close();
  setLive(false);
  const stream = new EventSource(`${address}/events`);
  source = stream;
  stream.addEventListener('checkout', (event) => {
    setLive(true);
    // A reconnect sends no view if nothing has changed. A stream without any view may be held back by a proxy.
    stream.onopen = () => setLive(true);
    received(JSON.parse((event as MessageEvent<string>).data) as CheckoutView);
  });
  stream.addEventListener('end', () => stream.close());
  stream.addEventListener('error', () => setLive(false));
}

/** An attribute of the page, for tests. */
function setLive(isSo: boolean): void {
  main.dataset['live'] = String(isSo);
}

function isLive(): boolean {
  return main.dataset['live'] === 'true';
}

function received(view: CheckoutView): void {
  receivedAt = performance.now();
  apply(view);
}
