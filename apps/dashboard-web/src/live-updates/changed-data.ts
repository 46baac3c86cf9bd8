import type { ChangeTopic } from '@pay/contracts';
import type { QueryClient } from '@tanstack/react-query';

/** The first part of the keys of queries that show a topic. */
const KEYS: Readonly<Record<ChangeTopic, readonly string[]>> = {
  payments: ['payments', 'evidence-file', 'intent'],
  exceptions: ['exceptions', 'exception'],
  devices: ['devices'],
};
export const TOPICS = Object.keys(KEYS) as ChangeTopic[];

/** Times that a key waits for a running request, whose connection may have died: a minute for lists. */
const MOST_WAITS = 15;

/** The first parts of the keys of queries whose data has changed since they were last loaded. */
export class ChangedData {
  readonly lists = new Set<string>();
  readonly statistics = new Set<string>();

  private readonly waits = new Map<string, number>();

  constructor(private readonly queries: Pick<QueryClient, 'isFetching' | 'invalidateQueries'>) {}

  announce(topics: readonly ChangeTopic[]): void {
    for (const topic of topics) KEYS[topic].forEach((key) => this.lists.add(key));
    if (topics.length > 0) this.statistics.add('statistics');
  }

  /**
   * A key waits while one of its requests is running, whose answer may be older than the change. Aborting the request
   * would keep a slow connection from ever loading the data.
   */
  reload(keys: Set<string>): void {
    for (const key of keys) {
      const waits = this.waits.get(key) ?? 0;
      if (waits < MOST_WAITS && this.queries.isFetching({ queryKey: [key] }) > 0) {
        this.waits.set(key, waits + 1);
        continue;
      }
      this.waits.delete(key);
      keys.delete(key);
      void this.queries.invalidateQueries({ queryKey: [key] });
    }
  }
}
