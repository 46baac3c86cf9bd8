import { setTimeout as delay } from 'node:timers/promises';
import type { Delivery } from './delivery';

/** This many messages in consecutive full batches are a backlog, not a burst. */
const BACKLOG = 500;
/** A backlog ends after this many batches that were less than half full; moved messages arrive in bursts. */
const SMALL_BATCHES = 10;
/** A merchant's share of a batch during a backlog. */
const SHARE = 1 / 10;
/** The overflow queue gets a batch this often, regardless of the backlog. */
const LONGEST_WAIT_MS = 1_000;
/** After this time without messages the backlog of a work queue is over. */
const IDLE_MS = 100;
const POLL_MS = 5;

/**
 * State that the consumers of a work queue and its overflow queue share. During a backlog, messages above a merchant's
 * share move to the overflow queue with lower priority, so that other messages wait only until the backlog is moved,
 * not handled.
 */
export class MerchantBacklog {
  private isBacklog = false;
  private inFullBatches = 0;
  private smallBatches = 0;
  private idleSince: number | undefined;

  constructor(private readonly batchSize: number) {}

  /** Batch size of the work queue's consumer: moving messages costs little. */
  get mostAtOnce(): number {
    return this.isBacklog ? 2 * this.batchSize : this.batchSize;
  }

  workQueueWaits(): void {
    this.idleSince = performance.now();
  }

  /** The messages of a work queue batch that are moved. Suspect and unreadable messages stay. */
  beyondShare(deliveries: readonly Delivery[], moreWait: boolean): ReadonlySet<Delivery> {
    this.observe(deliveries.length, moreWait);
    if (!this.isBacklog) return new Set();
    const share = Math.max(1, Math.floor(this.batchSize * SHARE));
    const taken = new Map<string, number>();
    return new Set(
      deliveries.filter(({ content }) => {
        if (!('event' in content) || content.event.merchantId === null) return false;
        const { merchantId } = content.event;
        const before = taken.get(merchantId) ?? 0;
        taken.set(merchantId, before + 1);
        return before >= share;
      }),
    );
  }

  /** Waits while the work queue has a backlog, but never for long. */
  async waitForWorkQueue(isOver: () => boolean): Promise<void> {
    const since = performance.now();
    while (this.isBacklog && !this.isIdle && !isOver() && performance.now() - since < LONGEST_WAIT_MS) {
      await delay(POLL_MS);
    }
  }

  private get isIdle(): boolean {
    return this.idleSince !== undefined && performance.now() - this.idleSince > IDLE_MS;
  }

  private observe(taken: number, moreWait: boolean): void {
    this.idleSince = undefined;
    // Bundles rarely fill a batch exactly; a full batch leaves messages in the queue.
    const isFull = taken >= this.batchSize || (moreWait && taken > this.batchSize / 2);
    this.inFullBatches = isFull ? this.inFullBatches + taken : 0;
    this.smallBatches = taken < this.batchSize / 2 ? this.smallBatches + 1 : 0;
    if (this.inFullBatches >= BACKLOG) this.isBacklog = true;
    else if (this.smallBatches >= SMALL_BATCHES) this.isBacklog = false;
  }
}
