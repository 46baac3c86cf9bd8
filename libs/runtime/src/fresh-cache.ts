export interface FreshCacheOptions<Value> {
  /** Maximum age, counted from the start of the load, so that no older value is returned. */
  readonly maxAgeMs: number;
  /** A shorter maximum age of some values. */
  readonly maxAgeMsOf?: (value: Value) => number;
  /** Maximum number of existing values, and separately of missing ones, so that unknown ids cannot evict known ones. */
  readonly maxEntries: number;
  /** Clock in milliseconds. If it goes back, all cached values count as stale. */
  readonly clock: () => number;
}

interface Entry<Value> {
  readonly value: Value;
  readonly askedAt: number;
}

/** Caches values for a short time and loads each once for all concurrent callers. Failures are not cached. */
export class FreshCache<Value> {
  private readonly found = new Map<string, Entry<Value>>();
  private readonly missing = new Map<string, Entry<undefined>>();
  private loading = new Map<string, Promise<Value | undefined>>();

  constructor(private readonly options: FreshCacheOptions<Value>) {}

  async get(key: string, load: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const entry = this.found.get(key) ?? this.missing.get(key);
    if (entry !== undefined && this.isFresh(entry)) return entry.value;
    return this.loading.get(key) ?? this.start(key, load);
  }

  /**
   * Drops all values. Loads in progress still return to their callers but are not cached, because they may have read
   * the old state.
   */
  drop(): void {
    this.found.clear();
    this.missing.clear();
    this.loading = new Map();
  }

  get size(): number {
    return this.found.size + this.missing.size;
  }

  private start(key: string, load: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const { loading } = this;
    const askedAt = this.options.clock();
    const loaded = load()
      .then((value) => {
        if (loading === this.loading) this.keep(key, value, askedAt);
        return value;
      })
      .finally(() => loading.delete(key));
    loading.set(key, loaded);
    return loaded;
  }

  private keep(key: string, value: Value | undefined, askedAt: number): void {
    this.found.delete(key);
    this.missing.delete(key);
    if (value === undefined) this.put(this.missing, key, { value, askedAt });
    else this.put(this.found, key, { value, askedAt });
  }

  /** Maps iterate in insertion order, which is nearly the order of age, so the first entries are the oldest. */
  private put<Kept extends Value | undefined>(
    entries: Map<string, Entry<Kept>>,
    key: string,
    entry: Entry<Kept>,
  ): void {
    entries.set(key, entry);
    for (const [oldest, each] of entries) {
      if (entries.size <= this.options.maxEntries && this.isFresh(each)) return;
      entries.delete(oldest);
    }
  }

  private isFresh({ value, askedAt }: Entry<Value | undefined>): boolean {
    const { clock, maxAgeMs, maxAgeMsOf } = this.options;
    const ageMs = clock() - askedAt;
    const limitMs = value === undefined || !maxAgeMsOf ? maxAgeMs : Math.min(maxAgeMs, maxAgeMsOf(value));
    return ageMs >= 0 && ageMs < limitMs;
  }
}
