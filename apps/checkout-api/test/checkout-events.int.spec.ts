import { randomUUID } from 'node:crypto';
import type { ClaimOutcome, IntentSnapshot } from '@pay/contracts';
import { checkoutChangeSchema } from '@pay/contracts';
import { draft } from '@pay/messaging';
import { eventually, failOnLeaks, promptly } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { checkoutCustomer } from './checkout-customer';
import { listen, type EventSource } from './event-source';
import {
  aMerchant,
  anIntent,
  given,
  intentEvent,
  MERCHANT,
  send,
  startService,
  type ServiceUnderTest,
} from './service-under-test';

failOnLeaks();

describe('GET /v1/checkout/:id/events', () => {
  let first: ServiceUnderTest;
  let second: ServiceUnderTest;
  const open = new Set<EventSource>();
  const customer = checkoutCustomer(() => first);

  beforeAll(async () => {
    first = await startService({ limits: { RATE_LIMIT_STREAMS_PER_INTENT: 200 } });
    second = await startService({ beside: first, limits: { RATE_LIMIT_STREAMS_PER_INTENT: 2 } });
    await aMerchant(first.db, ['BKASH_SEND_MONEY', 'NAGAD_SEND_MONEY']);
  });
  afterEach(() => {
    for (const stream of open) stream.close();
    open.clear();
  });
  afterAll(async () => {
    await second.stop();
    await first.stop();
  });

  async function watch(id: string, { at = first, lastEventId }: { at?: ServiceUnderTest; lastEventId?: string } = {}) {
    const headers = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
    const stream = await listen(`${at.url}/v1/checkout/${id}/events`, headers);
    open.add(stream);
    return stream;
  }
  const paid = (intent: IntentSnapshot) => ({ ...intent, status: 'PAID' as const, paidAt: intent.createdAt });

  it('starts with the current view, unbuffered, uncompressed and without branding', async () => {
    const intent = await given(first, anIntent({ customerId: 'customer-77' }));

    const stream = await watch(intent.id.toUpperCase());
    const { id, data } = await stream.until(() => true, 'anything');

    expect(stream.status).toBe(200);
    expect(Object.fromEntries(stream.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    expect(stream.headers.get('content-encoding')).toBeNull();
    expect(stream.text()).toMatch(/^retry: \d+\n\nevent: checkout\n/);
    expect(checkoutChangeSchema.strict().parse(data)).toMatchObject({
      id: intent.id,
      status: 'PENDING',
      claim: 'none',
    });
    expect(id).toMatch(/^1-/);
    expect(`W/"${id}"`).toBe((await customer.view(intent.id)).headers.get('etag'));
  });

  it('sends a final change to the streams of every replica within a second, ends them, and reads it once for all', async () => {
    await promptly(1_000, async () => {
      const intent = await given(first, anIntent());
      const here = await Promise.all(Array.from({ length: 50 }, () => watch(intent.id)));
      const there = [await watch(intent.id, { at: second }), await watch(intent.id, { at: second })];
      await Promise.all([...here, ...there].map((stream) => stream.until(() => true, 'anything')));

      const sentAt = performance.now();
      await send(first, intentEvent(paid(intent), 2));
      const results = await Promise.all(
        [...here, ...there].map((stream) => stream.until(({ status }) => status === 'PAID', 'PAID')),
      );
      await Promise.all([...here, ...there].map((stream) => stream.ended()));

      for (const { received } of [...here, ...there]) {
        expect(received.map(({ event, data }) => data.status ?? event)).toEqual(['PENDING', 'PAID', 'end']);
        expect(received[1]?.id).toMatch(/^2-/);
      }
      // All streams of a replica receive the same bytes for one state.
      expect(new Set(here.map(({ received }) => JSON.stringify(received[1]?.data))).size).toBe(1);
      return Math.max(...results.map(({ at }) => at)) - sentAt;
    });
  });

  it('sends a client that reconnects with Last-Event-ID the change in between, and nothing twice', async () => {
    const intent = await given(first, anIntent());
    const stream = await watch(intent.id);
    const { id: seen = '' } = await stream.until(() => true, 'anything');
    stream.close();

    const unchanged = await watch(intent.id, { lastEventId: seen });
    await eventually(() => unchanged.text().startsWith('retry: '), 'the stream is open');
    await given(first, { ...intent, receiverMsisdn: '01700000009' }, 2);
    await unchanged.until(({ receiverMsisdn }) => receiverMsisdn === '01700000009', 'the other receiver');
    unchanged.close();
    await given(first, { ...paid(intent), receiverMsisdn: '01700000009' }, 3);
    const missed = await watch(intent.id, { lastEventId: unchanged.received[0]?.id ?? '' });
    await missed.ended();

    expect(unchanged.received).toHaveLength(1);
    expect(missed.received.map(({ event, data }) => data.status ?? event)).toEqual(['PAID', 'end']);
    expect((await watch(intent.id, { lastEventId: missed.received[0]?.id ?? '' })).status).toBe(204);
  });

  it.each(['PAID', 'EXPIRED', 'FAILED', 'REJECTED'] as const)(
    'sends a client that connects when the intent is %s the status and ends the stream',
    async (status) => {
      const intent = anIntent();
      await given(first, { ...intent, status, paidAt: status === 'PAID' ? intent.createdAt : null }, 2);

      const stream = await watch(intent.id);
      await stream.ended();

      expect(stream.received.map(({ event, data }) => data.status ?? event)).toEqual([status, 'end']);
    },
  );

  it('the stream continues while the intent is under review', async () => {
    const intent = await given(first, anIntent());
    const stream = await watch(intent.id);

    await given(first, { ...intent, status: 'REVIEW_REQUIRED' }, 2);
    await stream.until(({ status }) => status === 'REVIEW_REQUIRED', 'REVIEW_REQUIRED');
    expect(stream.hasEnded()).toBe(false);
    await given(first, paid(intent), 3);
    await stream.until(({ status }) => status === 'PAID', 'PAID');
  });

  it('sends the state of a TrxID that waits for its SMS, also from another replica', async () => {
    const intent = await given(first, anIntent());
    const stream = await watch(intent.id, { at: second });
    await stream.until(({ claim }) => claim === 'none', 'no claim');

    await customer.confirm(intent.id, 'DKL4A1B2C3');
    await stream.until(({ claim }) => claim === 'waiting', 'that a claim waits');
    expect((await customer.view(intent.id)).body.claim).toBe('waiting');
    expect(stream.text()).not.toContain('DKL4A1B2C3');
  });

  it.each(['PENDING', 'EXPIRED'] as const)(
    'sends the same about a %s intent for an unknown TrxID and for one that must stay hidden, as do view and page',
    async (status) => {
      const expiresAt = new Date(Date.now() + 300_000).toISOString();
      const shownWith = async (outcome: ClaimOutcome) => {
        const intent = await given(first, anIntent({ expiresAt }));
        await customer.confirm(intent.id, 'DKL4A1B2C3');
        const [claim] = await first.db.query<{ id: string }>('select id from claims where intent_id = $1', [intent.id]);
        const data = { claimId: claim!.id, paymentIntentId: intent.id, outcome, smsEventId: null };
        const owner = { environment: 'SANDBOX', merchantId: MERCHANT, aggregateId: claim!.id } as const;
        const type = outcome === 'waiting' ? 'claim.waiting' : 'claim.settled';
        await send(first, draft(type, { ...owner, sequence: 1, occurredAt: new Date(), data }));
        if (status === 'EXPIRED') await given(first, { ...intent, status }, 2);
        const isStored = async () =>
          (await first.db.query('select 1 from claims where id = $1 and outcome = $2', [claim!.id, outcome])).length >
          0;
        await eventually(isStored, 'the decision is stored');

        const stream = await watch(intent.id);
        const { data: streamed } = await stream.until((view) => view.status === status, status);
        const { body } = await customer.view(intent.id);
        const page = await (await fetch(`${first.url}/checkout/${intent.id}`)).text();
        // Without the templates behind it, and without the clock before it.
        const stage = page.slice(page.indexOf('id="stage"'), page.indexOf('<template'));
        const texts = [JSON.stringify(streamed), JSON.stringify(body), stage];
        return texts.map((text) => text.replaceAll(intent.id, '').replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, ''));
      };

      const unknown = await shownWith('waiting');
      for (const outcome of ['not_found', 'intent_expired', 'intent_not_pending'] as const)
        expect(await shownWith(outcome)).toEqual(unknown);
      expect(unknown[1]).toContain(status === 'PENDING' ? '"claim":"waiting"' : '"claim":"late"');
    },
  );

  it('answers 404 for an unknown intent or invalid id, and 503 while intent-api is unavailable', async () => {
    first.intentApi.respondWith(() => ({ status: 404, headers: { 'content-type': 'application/json' }, body: '{}' }));
    expect((await watch(randomUUID())).status).toBe(404);
    expect((await watch('not-a-uuid')).status).toBe(404);
    first.intentApi.respondWith(() => ({ status: 503 }));
    expect((await watch(uuidv7())).status).toBe(503);
  });

  it('limits the streams of an intent; a closed stream frees its place', async () => {
    const intent = await given(first, anIntent());
    const [one] = [await watch(intent.id, { at: second }), await watch(intent.id, { at: second })];

    const refused = await watch(intent.id, { at: second });
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
    one.close();
    await eventually(async () => (await watch(intent.id, { at: second })).status === 200, 'there is room again');
  });

  it('a stream that reaches its longest time ends with a request to reconnect', async () => {
    const brief = await startService({ beside: first, limits: { STREAM_SECONDS: 1 } });
    const intent = await given(first, anIntent());
    const stream = await watch(intent.id, { at: brief });

    await stream.ended();
    await brief.stop();

    expect(stream.text()).toMatch(/\n\nretry: \d+\n\n$/);
    expect(stream.received.map(({ event }) => event)).toEqual(['checkout']);
  });

  it('a replica that stops ends its streams, so that clients reconnect to another', async () => {
    const third = await startService({ beside: first });
    const intent = await given(first, anIntent());
    const stream = await watch(intent.id, { at: third });
    await stream.until(() => true, 'anything');

    await third.stop();

    expect(stream.hasEnded()).toBe(true);
    expect(stream.text()).toMatch(/\n\nretry: \d+\n\n$/);
  });

  it('a client that disconnects leaves no stream and no log line', async () => {
    const intent = await given(first, anIntent());
    const gauge = async () =>
      (await first.metrics.registry.getSingleMetric('checkout_streams_open')?.get())?.values[0]?.value;
    const before = await eventually(async () => ((await gauge()) === 0 ? true : undefined), 'no stream is open');
    const lines = first.lines.length;

    const stream = await watch(intent.id);
    await stream.until(() => true, 'anything');
    expect(await gauge()).toBe(1);
    stream.close();

    await eventually(async () => (await gauge()) === 0, 'the stream is forgotten');
    expect(before).toBe(true);
    expect(first.lines.slice(lines).filter(({ msg }) => msg === 'http.request')).toEqual([]);
  });
});
