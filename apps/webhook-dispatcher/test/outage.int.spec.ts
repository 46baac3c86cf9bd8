import { setTimeout as delay } from 'node:timers/promises';
import { eventually, failOnLeaks } from '@pay/testing';
import { SLOW_START_SECONDS } from '../src/endpoints/endpoint-repository';
import { anEvent } from './service-under-test';
import { stage, TIME_SCALE } from './stage';

failOnLeaks();

/** `npm run faults -- outage` does not scale time and checks the five minutes. */
const SCALE = Number(process.env['FAULT_TIME_SCALE'] ?? TIME_SCALE);
const DOWN_MS = 600_000 * SCALE;
/** Five minutes of scaled time would be three seconds, in which a busy machine decides. */
const PATIENCE_MS = SCALE === 1 ? 300_000 + SLOW_START_SECONDS * 1_000 : 60_000;
const EVERY_MS = 50;
const BACKLOG = 200;
const MOST_IN_FLIGHT = 8;

describe('an endpoint that comes back', () => {
  const on = stage(SCALE);

  test(
    'has its backlog within five minutes after ten minutes of an outage, oldest first (F12)',
    async () => {
      await on.register();
      on.shop.respondWith(() => ({ status: 503 }));
      const places = new Map<string, number>();
      const downAt = performance.now();
      for (let elapsed = 0; elapsed < DOWN_MS; elapsed = performance.now() - downAt) {
        // As many as the time asks for, on a slow machine too.
        const late = Math.floor(elapsed / EVERY_MS) + 1 - places.size;
        const events = Array.from({ length: late }, () => anEvent('intent.paid', on.merchant));
        for (const event of events) places.set(event.data.intent.id, places.size);
        if (late > 0) await on.service.announce(...events);
        await delay(EVERY_MS);
      }
      const burnt = on.shop.requests.length;
      on.shop.respondWith(() => ({ status: 200 }));
      const backAt = performance.now();
      await eventually(
        async () => (await on.api.deliveries(on.merchant, '?status=DELIVERED')).body.total === places.size,
        'the backlog is delivered',
        { timeoutMs: PATIENCE_MS },
      );

      const after = on.shop.requests.slice(burnt);
      const seconds = (after.at(-1)!.receivedAtMs - backAt) / 1_000;
      const order = after.map((request) => {
        const { data } = request.json() as { data: { payment_intent_id: string } };
        return places.get(data.payment_intent_id)!;
      });
      // Those that were never sent come before the others.
      const firsts = order.filter((_, index) => after[index]!.headers['x-webhook-attempt'] === '1');
      const expected = [...firsts].sort((a, b) => a - b);
      const displaced = Math.max(...firsts.map((place, index) => Math.abs(expected.indexOf(place) - index)));
      process.stderr.write(
        `${places.size} events and ${burnt} requests while it was down; all delivered ${seconds.toFixed(1)} s after it came back, ` +
          `none more than ${displaced} places from its turn\n`,
      );
      expect(after).toHaveLength(places.size);
      expect(new Set(order).size).toBe(places.size);
      expect(burnt).toBeLessThan(places.size / 2);
      expect(displaced).toBeLessThan(45);
    },
    DOWN_MS + PATIENCE_MS + 30_000,
  );

  test(
    'has its whole backlog when it goes down again while it receives it',
    async () => {
      const id = await on.register();
      await on.service.db.execute(
        `update endpoints set failing_since = now(), breaker_until = now() + interval '1 hour' where id = $1`,
        [id],
      );
      await on.service.announce(...Array.from({ length: BACKLOG }, () => anEvent('intent.paid', on.merchant)));
      await eventually(
        async () => (await on.api.deliveries(on.merchant, '?status=PENDING')).body.total === BACKLOG,
        'the backlog waits',
      );
      await on.service.db.execute(
        `update deliveries set attempt = 5, status = 'RETRYING', next_attempt_at = now() + interval '12 hours' where endpoint_id = $1`,
        [id],
      );
      // More than can be in flight, so that the endpoint is paused.
      on.shop.respondWith((_, count) => ({ status: count > 50 && count <= 50 + MOST_IN_FLIGHT + 1 ? 503 : 200 }));
      await on.service.db.execute('update endpoints set breaker_until = now() where id = $1', [id]);

      await eventually(
        async () => (await on.api.deliveries(on.merchant, '?status=DELIVERED')).body.total === BACKLOG,
        'the backlog is delivered',
        { timeoutMs: PATIENCE_MS },
      );
    },
    PATIENCE_MS + 30_000,
  );
});
