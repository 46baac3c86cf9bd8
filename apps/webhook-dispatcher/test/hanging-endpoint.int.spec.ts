import { setTimeout as delay } from 'node:timers/promises';
import { captureServer, eventually, failOnLeaks } from '@pay/testing';
import { anEvent } from './service-under-test';
import { stage } from './stage';

failOnLeaks();

const EVENTS = 60;
const EVERY_MS = 15;
/** What a busy machine adds by itself: below it nothing can be told apart. */
const NOISE_MS = 150;

describe('one endpoint that hangs, with half of the traffic (F11)', () => {
  const on = stage();

  /** Milliseconds from announcement to arrival at the healthy endpoint, the 99th percentile. */
  async function slowest(events = EVENTS): Promise<number> {
    const announcedAt = new Map<string, number>();
    const seen = on.shop.requests.length;
    for (let number = 0; number < events; number += 1) {
      const event = anEvent('intent.paid', on.merchant);
      announcedAt.set(event.data.intent.id, performance.now());
      await on.service.announce(event);
      await delay(EVERY_MS);
    }
    await eventually(() => on.shop.requests.length === seen + events, 'the healthy endpoint is told of everything');
    const milliseconds = on.shop.requests.slice(seen).map((request) => {
      const { data } = request.json() as { data: { payment_intent_id: string } };
      return request.receivedAtMs - announcedAt.get(data.payment_intent_id)!;
    });
    return milliseconds.sort((a, b) => a - b)[Math.floor(events * 0.99)]!;
  }

  test('first attempts to the healthy one take at most twice as long, and the hanging one holds no more than its slots', async () => {
    await on.register();
    await slowest(10);
    const quiet = await slowest();
    const hanging = await captureServer();
    hanging.respondWith(() => undefined);
    await on.register({ url: `${hanging.url}/` });
    const loaded = await slowest();

    expect(loaded).toBeLessThanOrEqual(2 * Math.max(quiet, NOISE_MS));
    expect(hanging.requests.length).toBeGreaterThan(0);
    expect(hanging.requests.length).toBeLessThanOrEqual(8);
    await hanging.close();
  }, 60_000);
});
