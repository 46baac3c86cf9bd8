import { EVENTS } from '@pay/contracts';
import { promptly } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { Crowd } from './crowd';
import type { Delivery } from './delivery';

const SIZE = 100;

function deliveries(count: number, merchantId: string | null): Delivery[] {
  const version = EVENTS['claim.submitted'].version;
  return Array.from({ length: count }, () => {
    const event = { id: uuidv7(), type: 'claim.submitted', version, merchantId };
    return { content: { event } } as unknown as Delivery;
  });
}

/** A main lane that has seen nothing but full batches. */
function aCrowd(): Crowd {
  const crowd = new Crowd(SIZE);
  for (let batch = 0; batch < 5; batch += 1) crowd.beyondShare(deliveries(SIZE, 'flooding'), true);
  return crowd;
}

describe('the main lane of a queue', () => {
  it('moves nothing while its batches are full only now and then', () => {
    const crowd = new Crowd(SIZE);

    for (const taken of [SIZE, SIZE, SIZE, SIZE, 60, SIZE, SIZE, SIZE, SIZE]) {
      expect(crowd.beyondShare(deliveries(taken, 'busy'), taken === SIZE).size).toBe(0);
    }
    expect(crowd.mostAtOnce).toBe(SIZE);
  });

  it('moves what goes beyond a merchant’s share when messages pile up, and nothing of those who stay within', () => {
    const flood = deliveries(95, 'flooding');
    const others = [...deliveries(10, 'patient'), ...deliveries(5, null)];

    const moved = aCrowd().beyondShare([...flood, ...others], true);

    expect(moved.size).toBe(85);
    expect(others.some((delivery) => moved.has(delivery))).toBe(false);
    expect(moved.has(flood[9] as Delivery)).toBe(false);
  });

  it('leaves what cannot be read where it is', () => {
    const unreadable = Array.from(
      { length: SIZE },
      () => ({ content: { violation: 'no JSON' } }) as unknown as Delivery,
    );

    expect(aCrowd().beyondShare(unreadable, true).size).toBe(0);
  });

  it('sees a backlog in batches that are not full to the last place, as long as something stays behind', () => {
    const [left, emptied] = [new Crowd(SIZE), new Crowd(SIZE)];
    for (let batch = 0; batch < 6; batch += 1) {
      left.beyondShare(deliveries(SIZE - 10, 'flooding'), true);
      emptied.beyondShare(deliveries(SIZE - 10, 'flooding'), false);
    }

    expect(left.beyondShare(deliveries(SIZE - 10, 'flooding'), true).size).toBe(80);
    expect(emptied.beyondShare(deliveries(SIZE - 10, 'flooding'), false).size).toBe(0);
  });

  it('goes on moving when a batch was smaller for once', () => {
    const crowd = aCrowd();
    crowd.beyondShare(deliveries(20, 'flooding'), false);

    expect(crowd.beyondShare(deliveries(SIZE, 'flooding'), true).size).toBe(90);
  });
});

describe('the side lane of a queue', () => {
  it('gives way to a crowd, and never for long', async () => {
    const crowd = aCrowd();
    const begun = performance.now();

    await crowd.giveWay(() => false);

    expect(performance.now() - begun).toBeGreaterThan(900);
  });

  it('does not wait for a main lane that has nothing to do, where there is no crowd, or when the process stops', async () => {
    const idle = aCrowd();
    idle.mainWaits();
    const over = aCrowd();
    for (let batch = 0; batch < 10; batch += 1) over.beyondShare(deliveries(1, 'patient'), false);

    await promptly(900, async () => {
      const begun = performance.now();
      await idle.giveWay(() => false);
      await over.giveWay(() => false);
      await new Crowd(SIZE).giveWay(() => false);
      await aCrowd().giveWay(() => true);
      return performance.now() - begun;
    });
  });
});
