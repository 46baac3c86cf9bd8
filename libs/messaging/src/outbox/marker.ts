import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '@pay/persistence';
import { backOff, type Logger } from '@pay/runtime';
import { markPublished, putOff } from './outbox';
import type { Timings } from '../timings';

export interface MarkerDeps {
  readonly db: Database;
  readonly timings: Pick<Timings, 'markLingerMs' | 'returnedFirstWaitMs'>;
  readonly log: Logger;
  /** These are settled in the database; the relay may forget them. */
  readonly settled: (ids: readonly string[]) => void;
}

const WAITS = { firstMs: 200, longestMs: 5_000 };
const MOST_AT_ONCE = 1_000;

/**
 * Writes down what became of published events, many in one statement. What cannot be written because the database is
 * away is kept and written later; if the process dies before, the events are published once more, which the inboxes
 * absorb.
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

  /** Not published, for this reason; left to the sweeper. */
  giveBack(id: string, reason: string): void {
    this.givenBack.push({ id, reason });
    this.start();
  }

  /** Writes what is there without lingering. */
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
