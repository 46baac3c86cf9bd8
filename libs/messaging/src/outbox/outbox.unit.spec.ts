import type { Transaction } from '@pay/persistence';
import { draft } from '../draft';
import { outboxOnly } from './outbox-only';
import { MOST_HANDED_OVER, writeOutbox, type OutboxEntry } from './outbox';

function aTransaction() {
  const reads: ((rows: readonly { epoch: number }[]) => void)[] = [];
  let written = 0;
  const tx = {
    enqueue(_sql: unknown, values: readonly unknown[], read?: (typeof reads)[number]) {
      written += (values[2] as readonly string[]).length;
      if (read !== undefined) reads.push(read);
    },
  } as unknown as Transaction;
  return {
    tx,
    reads,
    written: () => written,
    commit: () => {
      for (const read of reads) read([{ epoch: 1 }]);
    },
  };
}

const ID = '0198a5a0-0000-7000-8000-000000000001';
const at = '2026-11-21T10:00:00.000Z';

const events = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    draft('claim.submitted', {
      environment: 'SANDBOX',
      merchantId: ID,
      aggregateId: ID,
      sequence: index + 1,
      occurredAt: new Date(at),
      data: { claimId: ID, paymentIntentId: ID, trxId: 'DKL4A1B2C3', submittedAt: at },
    }),
  );

describe('a transaction that writes events', () => {
  it('keeps none of them in memory when they are published by a sweeper', async () => {
    const { tx, reads, written } = aTransaction();

    for (let page = 0; page < 3; page += 1) await outboxOnly().publish(tx, events(500));

    expect(written()).toBe(1_500);
    expect(reads).toEqual([]);
  });

  it('hands over a limited number of them after COMMIT, however many it writes', () => {
    const { tx, written, commit } = aTransaction();
    const handedOver: OutboxEntry[] = [];
    const deps = { timings: { staleAfterMs: 0 }, handOver: (some: readonly OutboxEntry[]) => handedOver.push(...some) };
    const page = events(500);

    for (let count = 0; count < 3 * MOST_HANDED_OVER; count += 500) writeOutbox(deps, tx, page, null);
    commit();

    expect(written()).toBe(3 * MOST_HANDED_OVER);
    expect(handedOver.length).toBe(MOST_HANDED_OVER);
  });

  it('hands over its events although another transaction has written many', () => {
    const [large, small] = [aTransaction(), aTransaction()];
    const handedOver: OutboxEntry[] = [];
    const deps = { timings: { staleAfterMs: 0 }, handOver: (some: readonly OutboxEntry[]) => handedOver.push(...some) };
    writeOutbox(deps, large.tx, events(2 * MOST_HANDED_OVER), null);

    writeOutbox(deps, small.tx, events(1), null);
    small.commit();

    expect(handedOver.length).toBe(1);
  });
});
