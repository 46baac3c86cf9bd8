/**
 * A bounded map that forgets unused entries. Entries found in the old generation move to the young one; when the young
 * one is full or has reached its age, it becomes the old one and the old one is dropped.
 */
export class Generations<Value> {
  private young = new Map<string, Value>();
  private old = new Map<string, Value>();
  private bornAt = -Infinity;

  /** An entry is kept for `keepMs` to twice `keepMs` after its last use, unless more than `most` are in use. */
  constructor(private readonly bounds: { readonly most: number; readonly keepMs: number }) {}

  get size(): number {
    return this.young.size + this.old.size;
  }

  get(key: string, now: number): Value | undefined {
    this.age(now);
    const value = this.young.get(key);
    if (value !== undefined || this.old.size === 0) return value;
    const earlier = this.old.get(key);
    if (earlier === undefined) return undefined;
    this.old.delete(key);
    this.young.set(key, earlier);
    return earlier;
  }

  set(key: string, value: Value, now: number): void {
    this.age(now);
    this.young.set(key, value);
  }

  delete(key: string): void {
    this.young.delete(key);
    this.old.delete(key);
  }

  private age(now: number): void {
    const lived = now - this.bornAt;
    if (lived < this.bounds.keepMs && this.young.size < this.bounds.most / 2) return;
    this.old = lived < 2 * this.bounds.keepMs ? this.young : new Map<string, Value>();
    this.young = new Map();
    this.bornAt = now;
  }
}
