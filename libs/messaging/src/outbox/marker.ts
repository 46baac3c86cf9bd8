import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '@pay/persistence';
import { backOff, type Logger } from '@pay/runtime';
import { markPublished, putOff } from './outbox';
import type { Timings } from '../timings';

export interface MarkerDeps {
  readonly db: Database;
  readonly timings: Pick<Timings, 'markLingerMs' | 'returnedFirstWaitMs'>;
  readonly log: Logger;
  /** Called with events whose result is stored; the relay removes them from memory. */
  readonly settled: (ids: readonly string[]) => void;
}

const WAITS = { firstMs: 200, longestMs: 5_000 };
const MOST_AT_ONCE = 1_000;

/**
 * Stores the results of published events, many per statement. Results are kept in memory while the database is
 * unavailable; if the process dies, the events are published again and the inboxes ignore them.
 */
export class Marker {
  private confirmed: string[] = [];
  private givenBack: { readonly id: string; readonly reason: string }[] = [];
  private running: Promise<void> | undefined;
  private hurried = new AbortController();

  constructor(private readonly deps: MarkerDeps) {}

  confirm(id: string): void {
    this.confirmed.push(id);
    this.start();
  }

  /** The sweeper retries the event. */
  release(id: string, reason: string): void {
    this.givenBack.push({ id, reason });
    this.start();
  }

  async flush(): Promise<void> {
    this.hurried.abort();
    await this.running;
    this.hurried = new AbortController();
  }

  private start(): void {
    this.running ??= this.run().finally(() => {
      this.running = undefined;
    });
  }

  private async run(): Promise<void> {
    const { timings, log } = this.deps;
    const pauses = backOff(WAITS);
    await delay(timings.markLingerMs, undefined, { signal: this.hurried.signal }).catch(() => undefined);
    while (this.confirmed.length + this.givenBack.length > 0) {
      const events = this.confirmed.length + this.givenBack.length;
      try {
        await this.writeConfirmed();
        await this.writeGivenBack();
        pauses.reset();
      } catch (error) {
        log.warn({ err: error, events }, 'relay.mark_failed');
        if (this.hurried.signal.aborted) return;
        await pauses.wait(this.hurried.signal);
      }
      const lingers = this.confirmed.length < MOST_AT_ONCE && !this.hurried.signal.aborted;
      if (lingers) await delay(timings.markLingerMs, undefined, { signal: this.hurried.signal }).catch(() => undefined);
    }
  }

  private async writeConfirmed(): Promise<void> {
    const confirmed = this.confirmed.slice(0, MOST_AT_ONCE);
    if (confirmed.length > 0) await markPublished(this.deps.db, confirmed);
    this.confirmed = this.confirmed.slice(confirmed.length);
    this.deps.settled(confirmed);
  }

  private async writeGivenBack(): Promise<void> {
    const { db, timings, settled } = this.deps;
    const [first] = this.givenBack;
    if (first === undefined) return;
    const { reason } = first;
    const ids = this.givenBack.filter((each) => each.reason === reason).map((each) => each.id);
    await putOff(db, ids, reason, timings.returnedFirstWaitMs);
    this.givenBack = this.givenBack.filter((each) => !ids.includes(each.id));
    settled(ids);
  }
}
