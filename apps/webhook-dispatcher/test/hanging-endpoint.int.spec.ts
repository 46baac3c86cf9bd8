import { setTimeout as delay } from 'node:timers/promises';
import { captureServer, eventually, failOnLeaks } from '@pay/testing';
import { anEvent } from './service-under-test';
import { stage } from './stage';

failOnLeaks();

/** `npm run faults -- hanging` asks for more. */
const EVENTS = Number(process.env['FAULT_EVENTS'] ?? '60');
const EVERY_MS = 15;
/** The delay that a busy machine adds; smaller differences are not visible. Among few events the slowest one counts. */
const NOISE_MS = EVENTS > 1_000 ? 40 : 150;
/** A burst of something else on this machine slows one round; an endpoint that holds up the others does so in each. */
const ROUNDS = 3;
const SLOTS = 8;
const HEADERS_TIMEOUT_MS = 10_000;

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
    await eventually(() => on.shop.requests.length === seen + events, 'the healthy endpoint receives all events', {
      timeoutMs: 30_000,
    });
    const milliseconds = on.shop.requests.slice(seen).map((request) => {
      const { data } = request.json() as { data: { payment_intent_id: string } };
      return request.receivedAtMs - announcedAt.get(data.payment_intent_id)!;
    });
    return milliseconds.sort((a, b) => a - b)[Math.floor(events * 0.99)]!;
  }

  test(
    'first attempts to the healthy one take at most twice as long, and the hanging one holds no more than its slots',
    async () => {
      await on.register();
      await slowest(10);
      const hanging = await captureServer();
      hanging.respondWith(() => undefined);
      const id = await on.register({ url: `${hanging.url}/` });
      const since = performance.now();
      const isHeldUp = async (): Promise<boolean> => {
        await on.api.change(on.merchant, id, { isActive: false });
        const quiet = await slowest();
        await on.api.change(on.merchant, id, { isActive: true });
        const loaded = await slowest();
        process.stderr.write(
          `p99 of ${EVENTS} first attempts: ${quiet.toFixed(0)} ms quiet, ${loaded.toFixed(0)} ms beside an endpoint that hangs\n`,
        );
        return loaded > 2 * Math.max(quiet, NOISE_MS);
      };
      let heldUp = 0;
      while (heldUp < ROUNDS && (await isHeldUp())) heldUp += 1;

      const slotsHeld = SLOTS * Math.ceil((performance.now() - since) / HEADERS_TIMEOUT_MS);
      const requests = hanging.requests.length;
      await hanging.close();
      expect(heldUp).toBeLessThan(ROUNDS);
      expect(requests).toBeGreaterThan(0);
      expect(requests).toBeLessThanOrEqual(slotsHeld);
    },
    120_000 + EVENTS * 120,
  );
});
