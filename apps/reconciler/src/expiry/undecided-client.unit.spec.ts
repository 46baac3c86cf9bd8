import type { Undecided } from '@pay/contracts';
import { ServiceCallFailed } from '@pay/http';
import { undecidedClient, type IntakeOwner } from './undecided-client';

const log = { info: () => undefined, warn: () => undefined } as never;
const MERCHANT = '0198a5a0-0000-7000-8000-000000000001';

function item(minute: number): Undecided['undecided'][number] {
  return {
    merchantId: MERCHANT,
    environment: 'LIVE',
    oldest: new Date(Date.UTC(2026, 10, 21, 10, minute)).toISOString(),
  };
}

interface Deferred<Value> {
  readonly promise: Promise<Value>;
  readonly resolve: (value: Value) => void;
  readonly reject: (error: Error) => void;
}

function deferred<Value>(): Deferred<Value> {
  let settle: Omit<Deferred<Value>, 'promise'> | undefined;
  const promise = new Promise<Value>((resolve, reject) => (settle = { resolve, reject }));
  return { promise, resolve: (value) => settle?.resolve(value), reject: (error) => settle?.reject(error) };
}

/** Owners that answer when the test says so, and pauses that end when the test says so. */
function owners() {
  const requests: Record<IntakeOwner, Deferred<Undecided>[]> = { 'sms-ingest': [], 'checkout-api': [] };
  const pauses: Deferred<undefined>[] = [];
  const owner = (name: IntakeOwner) => ({
    request: () => {
      const request = deferred<Undecided>();
      requests[name].push(request);
      return request.promise as Promise<never>;
    },
  });
  const askUndecided = undecidedClient({
    owners: { 'sms-ingest': owner('sms-ingest'), 'checkout-api': owner('checkout-api') },
    log,
    pause: () => {
      pauses.push(deferred<undefined>());
      return pauses.at(-1)?.promise ?? Promise.resolve();
    },
  });
  return {
    askUndecided,
    counts: async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return [requests['sms-ingest'].length, requests['checkout-api'].length];
    },
    answer: (minute: number) => {
      requests['sms-ingest'].at(-1)?.resolve({ undecided: [] });
      requests['checkout-api'].at(-1)?.resolve({ undecided: [item(minute)] });
    },
    fail: (name: IntakeOwner) =>
      requests[name].at(-1)?.reject(new ServiceCallFailed('unavailable', name, 'no response')),
    endPause: () => pauses.at(-1)?.resolve(undefined),
  };
}

describe('a request for undecided SMS and claims', () => {
  it('is shared by all calls before it starts, and no answer is older than its call', async () => {
    const { askUndecided, counts, answer, endPause } = owners();
    const first = [askUndecided(), askUndecided()];
    expect(await counts()).toEqual([1, 1]);

    const later = Array.from({ length: 300 }, () => askUndecided());
    expect(await counts()).toEqual([1, 1]);
    answer(1);
    endPause();

    expect(await Promise.all(first)).toEqual([[item(1)], [item(1)]]);
    expect(await counts()).toEqual([2, 2]);
    answer(2);
    expect(await Promise.all(later)).toEqual(later.map(() => [item(2)]));
    expect(await counts()).toEqual([2, 2]);
  });

  it('starts only after the pause that follows the start of the request before', async () => {
    const { askUndecided, counts, answer, endPause } = owners();
    const first = askUndecided();
    await counts();
    answer(1);
    await first;

    const second = askUndecided();
    expect(await counts()).toEqual([1, 1]);
    endPause();
    expect(await counts()).toEqual([2, 2]);
    answer(2);

    expect(await second).toEqual([item(2)]);
  });

  it('names the owner that does not respond to each caller, and the next request does not fail with it', async () => {
    const { askUndecided, counts, answer, fail, endPause } = owners();
    const silent: IntakeOwner[] = [];
    const first = [askUndecided((owner) => silent.push(owner)), askUndecided()];
    await counts();
    fail('sms-ingest');
    answer(1);
    endPause();

    expect(await Promise.all(first)).toEqual([undefined, undefined]);
    expect(silent).toEqual(['sms-ingest']);
    const second = askUndecided();
    await counts();
    answer(2);
    expect(await second).toEqual([item(2)]);
  });
});
