/**
 * Inserts and deletes rows day by day, so that the cost of deletion can be compared between an early and a late day.
 */
export interface Turnovers {
  /** All work must use this connection: another one reports its page reads up to ten seconds later. */
  readonly query: (sql: string, values?: readonly unknown[]) => Promise<Record<string, unknown>[]>;
  readonly tables: readonly string[];
  /** Inserts the rows of a day. */
  readonly fill: (day: number) => Promise<void>;
  /** Deletes expired rows at the end of the day. */
  readonly sweep: (day: number) => Promise<void>;
  /** Number of rows that the sweep of a day deletes. */
  readonly rowsPerDay: number;
  /** The measured days, ascending. */
  readonly days: readonly number[];
  /** Requests that are timed one at a time on each measured day. */
  readonly requests?: Readonly<Record<string, () => Promise<unknown>>>;
}

export interface DayFigures {
  readonly day: number;
  /** Pages that a sweep reads without deleting anything. */
  readonly pagesForNothing: number;
  readonly pagesPerRow: number;
  readonly msPerRow: number;
  readonly requests: Readonly<Record<string, { readonly p99Ms: number; readonly pages: number }>>;
}

const REQUESTS = 300;

export async function measureTurnovers(given: Turnovers): Promise<DayFigures[]> {
  const { query, tables, fill, sweep, rowsPerDay, days, requests = {} } = given;
  const pages = async (): Promise<number> => {
    await query('select pg_stat_force_next_flush()');
    const [row] = await query(
      `select sum(heap_blks_read + heap_blks_hit + idx_blks_read + idx_blks_hit)::float8 as pages from pg_statio_user_tables
       where relid = any($1::regclass[])`,
      [tables],
    );
    return Number(row?.['pages']);
  };
  // Disabled because its reads would be counted. The tables are vacuumed below.
  for (const table of tables) await query(`alter table ${table} set (autovacuum_enabled = false)`);
  const figures: DayFigures[] = [];
  for (let day = 1; day <= (days.at(-1) ?? 0); day += 1) {
    await fill(day);
    // Once a day a sweep begins at the start of the table.
    await query(`update retention_positions set restarted_at = now() - interval '1 day'`);
    const [before, begun] = [await pages(), performance.now()];
    await sweep(day);
    const msPerRow = (performance.now() - begun) / rowsPerDay;
    const swept = await pages();
    // Like autovacuum in a service.
    for (const table of tables) await query(`vacuum ${table}`);
    if (!days.includes(day)) continue;
    // After a vacuum the server plans its statements again, which reads a page of each index.
    await sweep(day);
    const rested = await pages();
    await sweep(day);
    const pagesForNothing = (await pages()) - rested;
    const measured: Record<string, { p99Ms: number; pages: number }> = {};
    for (const [name, request] of Object.entries(requests)) {
      const earlier = await pages();
      const p99Ms = await percentile99(request);
      measured[name] = { p99Ms, pages: ((await pages()) - earlier) / REQUESTS };
    }
    figures.push({ day, pagesForNothing, pagesPerRow: (swept - before) / rowsPerDay, msPerRow, requests: measured });
  }
  return figures;
}

async function percentile99(request: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < REQUESTS; n += 1) {
    const begun = performance.now();
    await request();
    times.push(performance.now() - begun);
  }
  times.sort((one, other) => one - other);
  return times[Math.floor(REQUESTS * 0.99)] ?? 0;
}

/** One readable line per measured day. */
export function describeDays(what: string, figures: readonly DayFigures[]): string {
  return figures
    .map(({ day, pagesForNothing, pagesPerRow, msPerRow, requests }) => {
      const timed = Object.entries(requests).map(
        ([name, { p99Ms, pages }]) => `${name} ${pages.toFixed(1)} pages, p99 ${p99Ms.toFixed(1)} ms`,
      );
      return (
        `${what}, day ${day}: ${pagesForNothing} pages for nothing, ${pagesPerRow.toFixed(2)} pages and ${msPerRow.toFixed(4)} ms per row` +
        (timed.length > 0 ? `; ${timed.join('; ')}` : '')
      );
    })
    .map((line) => `${line}\n`)
    .join('');
}
