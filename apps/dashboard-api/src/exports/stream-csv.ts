import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { BusinessError } from '@pay/contracts';
import { csvLine, type Cell } from '../domain/csv';

/**
 * Exports of this process at the same time. Each has one page in memory and one request to another service under way.
 */
const MOST_EXPORTS = 32;
/** Without it, spreadsheets read UTF-8 as another encoding. */
const BYTE_ORDER_MARK = '\ufeff';

export interface ExportPage<Row> {
  readonly data: readonly Row[];
  readonly nextCursor: string | null;
}

export type Columns<Row> = readonly (readonly [name: string, cell: (row: Row) => Cell])[];

interface CsvExport<Row> {
  readonly fileName: string;
  readonly columns: Columns<Row>;
  readonly page: (after: string | undefined) => Promise<ExportPage<Row>>;
}

export type Outlet = Pick<ServerResponse, 'write' | 'writeHead' | 'end' | 'on' | 'writableNeedDrain'>;

export interface CsvExports {
  /**
   * Sends all pages. What fails before the first byte becomes an error response; after it, the kernel closes the
   * connection.
   */
  send<Row>(outlet: Outlet, method: string, csv: CsvExport<Row>): Promise<void>;
}

export function openCsvExports({ most = MOST_EXPORTS }: { readonly most?: number } = {}): CsvExports {
  let open = 0;
  return {
    async send(outlet, method, csv) {
      if (open >= most) throw new BusinessError('RATE_LIMITED', undefined, 10);
      open += 1;
      try {
        await stream(outlet, method, csv);
      } finally {
        open -= 1;
      }
    },
  };
}

async function stream<Row>(outlet: Outlet, method: string, { fileName, columns, page }: CsvExport<Row>): Promise<void> {
  const first = await page(undefined);
  const left = new AbortController();
  outlet.on('close', () => left.abort());
  outlet.writeHead(200, {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${fileName}"`,
    'Cache-Control': 'no-store',
  });
  if (method === 'HEAD') {
    outlet.end();
    return;
  }
  try {
    outlet.write(BYTE_ORDER_MARK + csvLine(columns.map(([text]) => ({ text }))));
    for (let next: ExportPage<Row> | undefined = first; next !== undefined;) {
      if (left.signal.aborted) return;
      outlet.write(next.data.map((row) => csvLine(columns.map(([, cell]) => cell(row)))).join(''));
      // The next page is read when the client has taken this one.
      if (outlet.writableNeedDrain) await once(outlet as never, 'drain', { signal: left.signal });
      next = next.nextCursor === null ? undefined : await page(next.nextCursor);
    }
    outlet.end();
  } catch (error) {
    // Thrown after the first byte, it closes the connection: a file that ends early must not look like a whole one.
    if (!left.signal.aborted) throw error;
  }
}
