import { setTimeout as delay } from 'node:timers/promises';
import type { Delivery } from './delivery';

/** So many messages in full batches, one after the other, are a backlog and no burst. */
const BACKLOG = 500;
/** A backlog is over after so many batches that were not even half full: what is moved quickly arrives in gusts. */
const SMALL_BATCHES = 10;
/** What one merchant gets of a batch while there is a backlog. */
const SHARE = 1 / 10;
/** However long the backlog lasts, the overflow queue gets a batch this often. */
const LONGEST_WAIT_MS = 1_000;
/** A work queue without messages for so long has no backlog any more. */
const IDLE_MS = 100;
const LOOK_AGAIN_MS = 5;

/**
 * What the consumers of a work queue and of its overflow queue share. While messages pile up in the work queue, a
 * merchant's messages beyond its share of a batch are moved to the overflow queue, which has the lower priority:
 * messages behind a backlog wait until it has been moved, not until it has been handled.
 */
export class MerchantBacklog {
  private isThere = false;
  private inFullBatches = 0;
  private smallBatches = 0;
  private idleSince: number | undefined;

  constructor(private readonly batchSize: number) {}

  /** How many messages the consumer of the work queue takes at once: what is only moved costs little. */
  get mostAtOnce(): number {
    return this.isThere ? 2 * this.batchSize : this.batchSize;
  }

  /** The consumer of the work queue begins to wait for messages. */
  mainWaits(): void {
    this.idleSince = performance.now();
  }

  /** Which of these messages, taken together from the work queue, are moved. Suspects and unreadable ones are not. */
  beyondShare(deliveries: readonly Delivery[], moreWait: boolean): ReadonlySet<Delivery> {
    this.look(deliveries.length, moreWait);
    if (!this.isThere) return new Set();
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
  async giveWay(isOver: () => boolean): Promise<void> {
    const since = performance.now();
    while (this.isThere && !this.isIdle && !isOver() && performance.now() - since < LONGEST_WAIT_MS) {
      await delay(LOOK_AGAIN_MS);
    }
  }

  private get isIdle(): boolean {
    return this.idleSince !== undefined && performance.now() - this.idleSince > IDLE_MS;
  }

  private look(taken: number, moreWait: boolean): void {
    this.idleSince = undefined;
    // Messages of several events seldom fill a batch to the last place; what is full leaves something behind.
    const isFull = taken >= this.batchSize || (moreWait && taken > this.batchSize / 2);
    this.inFullBatches = isFull ? this.inFullBatches + taken : 0;
    this.smallBatches = taken < this.batchSize / 2 ? this.smallBatches + 1 : 0;
    if (this.inFullBatches >= BACKLOG) this.isThere = true;
    else if (this.smallBatches >= SMALL_BATCHES) this.isThere = false;
  }
}
