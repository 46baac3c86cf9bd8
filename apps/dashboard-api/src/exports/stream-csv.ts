import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { BusinessError } from '@pay/contracts';
import { csvLine, type Cell } from '../domain/csv';

/**
 * Exports of this process at the same time. Each has one page in memory and one request to another service under way.
 */
const MOST_EXPORTS = 32;
/** Each of the lists once. */
const MOST_OF_USER = 4;
/** Two users with all their exports. */
const MOST_OF_MERCHANT = 8;
/** A client that reads nothing would occupy its place forever, and its session would not be checked again. */
const MOST_READING_MS = 30_000;
/** Without it, spreadsheets read UTF-8 as another encoding. */
const BYTE_ORDER_MARK = '\ufeff';

export interface ExportPage<Row> {
  readonly data: readonly Row[];
  readonly nextCursor: string | null;
}

export type Columns<Row> = readonly (readonly [name: string, cell: (row: Row) => Cell])[];

interface Owner {
  readonly userId: string;
  readonly merchantId: string;
}

interface CsvExport<Row> extends Owner {
  readonly fileName: string;
  readonly columns: Columns<Row>;
  readonly page: (after: string | undefined) => Promise<ExportPage<Row>>;
  /** Before each further page: throws if the person may not have it any more. */
  readonly assertPermitted: () => Promise<void>;
}

export type Outlet = Pick<
  ServerResponse,
  'write' | 'writeHead' | 'end' | 'on' | 'destroy' | 'destroyed' | 'writableNeedDrain'
>;

export interface CsvExports {
  /**
   * Sends all pages. An error before the first byte becomes an error response; after it, a last line marks the file as
   * incomplete and the kernel closes the connection.
   */
  send<Row>(outlet: Outlet, method: string, csv: CsvExport<Row>): Promise<void>;
}

export function openCsvExports({ most = MOST_EXPORTS }: { readonly most?: number } = {}): CsvExports {
  const open = new Set<Owner>();
  return {
    async send(outlet, method, csv) {
      const same = (key: keyof Owner) => [...open].filter((other) => other[key] === csv[key]).length;
      if (open.size >= most || same('userId') >= MOST_OF_USER || same('merchantId') >= MOST_OF_MERCHANT)
        throw new BusinessError('RATE_LIMITED', undefined, 10);
      open.add(csv);
      try {
        await stream(outlet, method, csv);
      } finally {
        open.delete(csv);
      }
    },
  };
}

async function stream<Row>(outlet: Outlet, method: string, csv: CsvExport<Row>): Promise<void> {
  const { fileName, columns, page, assertPermitted } = csv;
  const left = new AbortController();
  const { signal } = left;
  const hasLeft = () => signal.aborted;
  outlet.on('close', () => left.abort());
  // A response that is closed already emits no further `close`.
  if (outlet.destroyed) return;
  const first = await page(undefined);
  if (hasLeft()) return;
  outlet.writeHead(200, {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${fileName}"`,
    'Cache-Control': 'no-store',
  });
  if (method === 'HEAD') {
    outlet.end();
    return;
  }
  // The next page is read when the client has taken this one.
  const taken = async () => {
    if (outlet.writableNeedDrain) await inTime(outlet, once(outlet as never, 'drain', { signal }));
  };
  try {
    outlet.write(BYTE_ORDER_MARK + csvLine(columns.map(([text]) => ({ text }))));
    let next = first;
    for (;;) {
      if (hasLeft()) return;
      outlet.write(next.data.map((row) => csvLine(columns.map(([, cell]) => cell(row)))).join(''));
      await taken();
      if (next.nextCursor === null) break;
      await assertPermitted();
      next = await page(next.nextCursor);
    }
    outlet.end();
  } catch (error) {
    if (hasLeft()) return;
    const written = new Promise<void>((done) => {
      signal.addEventListener('abort', () => done());
      outlet.write(incompleteLine(error), () => done());
    });
    await inTime(outlet, written);
    // Thrown after the first byte, it closes the connection: a file that ends early must not look like a whole one.
    throw error;
  }
}

/** Closes the connection if the client takes too long to read. */
async function inTime(outlet: Outlet, reading: Promise<unknown>): Promise<void> {
  const deadline = setTimeout(() => outlet.destroy(), MOST_READING_MS);
  await reading.finally(() => clearTimeout(deadline));
}

/** For clients that save a file although the connection was interrupted. */
function incompleteLine(error: unknown): string {
  const code = error instanceof BusinessError ? error.code : undefined;
  const reason =
    code === 'UNAUTHORIZED'
      ? 'the session has ended'
      : code === 'FORBIDDEN'
        ? 'the role may no longer export this list'
        : 'the rows could not be read';
  return csvLine([{ text: `INCOMPLETE: rows are missing because ${reason}. Export the list again.` }]);
}
