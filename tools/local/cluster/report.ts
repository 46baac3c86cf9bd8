import { SERVICES } from '@pay/contracts';
import { failedRequests } from './load-figures';
import type { Row } from './network-rows';
import type { LoadRowResult, Results } from './results';
import { LOAD_ROW_NAMES, ROWS } from './rows';

const SERVERS = ['edge', 'postgres', 'rabbitmq'];

/** Markdown tables by subject. */
export function tablesOf(results: Results): Readonly<Record<string, string>> {
  return {
    rows: loadTable(results),
    network: tableOf('from', results.network),
    overlays: tableOf('overlay', results.overlays),
    pods: podTable(results),
  };
}

export function hasProblems({ rows, network, overlays, audit }: Results): boolean {
  return (
    Object.values(rows).some(({ problems }) => problems.length > 0) ||
    [...network, ...overlays].some(({ isGood }) => !isGood) ||
    (audit?.problems.length ?? 0) > 0
  );
}

function loadTable({ rows, audit }: Results): string {
  const header = ['what', 'how', 'payments', 'per second', 'requests', 'failed', 'payments lost / duplicated'];
  const more = ['webhooks lost / duplicated / repeated', 'slowest request', 'seconds', 'holds'];
  const lines = LOAD_ROW_NAMES.map((name) => {
    const row = rows[name];
    if (row === undefined) return [ROWS[name].title, 'not played', ...Array<string>(9).fill('')];
    return [ROWS[name].title, row.done, ...cellsOf(row), isHeld(row.problems)];
  });
  const audited = audit === undefined ? 'not played' : audit.seen;
  const last = ['payment audit after all rows', audited, ...Array<string>(8).fill('')];
  return markdownTable([...header, ...more], [...lines, [...last, audit === undefined ? '' : isHeld(audit.problems)]]);
}

function isHeld(problems: readonly string[]): string {
  return problems.length === 0 ? 'yes' : `no: ${problems.join('; ')}`;
}

function cellsOf({ figures, rate }: LoadRowResult): string[] {
  if (figures === undefined) return Array<string>(8).fill('');
  const { payments, perSecond, requests, slowestMs, seconds } = figures;
  return [
    ...[String(payments), `${perSecond.toFixed(0)} of ${rate}`, String(requests), String(failedRequests(figures))],
    `${figures.lostPayments} / ${figures.duplicatedPayments}`,
    `${figures.lostWebhooks} / ${figures.duplicatedWebhooks} / ${figures.repeatedWebhooks}`,
    ...[`${(slowestMs / 1_000).toFixed(1)} s`, seconds.toFixed(0)],
  ];
}

function tableOf(subject: string, rows: readonly Row[]): string {
  return markdownTable(
    [subject, 'seen', 'holds'],
    rows.map(({ name, isGood, seen }) => [name, seen, isGood ? 'yes' : 'no']),
  );
}

function podTable({ readyTogether, readyAlone, memoryAtRest, memoryUnderLoad }: Results): string {
  const quantity = (value: number | undefined, unit: string) => (value === undefined ? '' : `${value} ${unit}`);
  return markdownTable(
    ['pod', 'ready, all started together', 'ready, alone under load', 'memory at rest', 'memory under load'],
    [...SERVICES, ...SERVERS].map((app) => [
      app,
      quantity(readyTogether[app], 's'),
      quantity(readyAlone[app], 's'),
      quantity(memoryAtRest[app], 'MiB'),
      quantity(memoryUnderLoad[app], 'MiB'),
    ]),
  );
}

/** Columns are as wide as their longest cell. */
export function markdownTable(header: readonly string[], lines: readonly (readonly string[])[]): string {
  const widths = header.map((_, column) => Math.max(3, ...[header, ...lines].map((line) => line[column]?.length ?? 0)));
  const lineOf = (cells: readonly string[]) =>
    `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width)).join(' | ')} |`;
  return [lineOf(header), lineOf(widths.map((width) => '-'.repeat(width))), ...lines.map(lineOf)].join('\n');
}
