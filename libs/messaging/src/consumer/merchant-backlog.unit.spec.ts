import { EVENTS } from '@pay/contracts';
import { promptly } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { MerchantBacklog } from './merchant-backlog';
import type { Delivery } from './delivery';

const SIZE = 100;

function deliveries(count: number, merchantId: string | null): Delivery[] {
  const version = EVENTS['claim.submitted'].version;
  return Array.from({ length: count }, () => {
    const event = { id: uuidv7(), type: 'claim.submitted', version, merchantId };
    return { content: { event } } as unknown as Delivery;
  });
}

function aBacklog(): MerchantBacklog {
  const backlog = new MerchantBacklog(SIZE);
  for (let batch = 0; batch < 5; batch += 1) backlog.beyondShare(deliveries(SIZE, 'flooding'), true);
  return backlog;
}

describe('a work queue', () => {
  it('moves no message while its batches are only sometimes full', () => {
    const backlog = new MerchantBacklog(SIZE);

    for (const taken of [SIZE, SIZE, SIZE, SIZE, 60, SIZE, SIZE, SIZE, SIZE]) {
      expect(backlog.beyondShare(deliveries(taken, 'busy'), taken === SIZE).size).toBe(0);
    }
    expect(backlog.mostAtOnce).toBe(SIZE);
  });

  it('moves the messages above a merchant’s share during a backlog, and none of merchants below their share', () => {
    const flood = deliveries(95, 'flooding');
    const others = [...deliveries(10, 'patient'), ...deliveries(5, null)];

    const moved = aBacklog().beyondShare([...flood, ...others], true);

    expect(moved.size).toBe(85);
    expect(others.some((delivery) => moved.has(delivery))).toBe(false);
    expect(moved.has(flood[9] as Delivery)).toBe(false);
  });

  it('does not move unreadable messages', () => {
    const unreadable = Array.from(
      { length: SIZE },
      () => ({ content: { violation: 'no JSON' } }) as unknown as Delivery,
    );

    expect(aBacklog().beyondShare(unreadable, true).size).toBe(0);
  });

  it('detects a backlog in batches that are not completely full while more messages wait', () => {
    const [left, emptied] = [new MerchantBacklog(SIZE), new MerchantBacklog(SIZE)];
    for (let batch = 0; batch < 6; batch += 1) {
      left.beyondShare(deliveries(SIZE - 10, 'flooding'), true);
      emptied.beyondShare(deliveries(SIZE - 10, 'flooding'), false);
    }

    expect(left.beyondShare(deliveries(SIZE - 10, 'flooding'), true).size).toBe(80);
    expect(emptied.beyondShare(deliveries(SIZE - 10, 'flooding'), false).size).toBe(0);
  });

  it('continues to move messages after one smaller batch', () => {
    const backlog = aBacklog();
    backlog.beyondShare(deliveries(20, 'flooding'), false);

    expect(backlog.beyondShare(deliveries(SIZE, 'flooding'), true).size).toBe(90);
  });
});

describe('an overflow queue', () => {
  it('waits while the work queue has a backlog, but no longer than the maximum', async () => {
    const backlog = aBacklog();
    const begun = performance.now();

    await backlog.waitForWorkQueue(() => false);

    expect(performance.now() - begun).toBeGreaterThan(900);
  });

  it('does not wait for a work queue that is idle, that has no backlog, or when the process stops', async () => {
    const idle = aBacklog();
    idle.workQueueWaits();
    const over = aBacklog();
    for (let batch = 0; batch < 10; batch += 1) over.beyondShare(deliveries(1, 'patient'), false);

    await promptly(900, async () => {
      const begun = performance.now();
      await idle.waitForWorkQueue(() => false);
      await over.waitForWorkQueue(() => false);
      await new MerchantBacklog(SIZE).waitForWorkQueue(() => false);
      await aBacklog().waitForWorkQueue(() => true);
      return performance.now() - begun;
    });
  });
});
