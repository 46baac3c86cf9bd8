import type { DashboardFigures } from './dashboards';
import type { ListFigures } from './lists';
import { print } from './print';

/** Fails the run if a request exceeds the limit of a list. */
export function printLists({ list, rows, latencyMs, aboveLimit }: ListFigures): void {
  print(`the list ${list} with ${rows.toLocaleString('en')} rows, by dashboard-api, one request at a time`);
  for (const [name, { p50, p95, max }] of Object.entries(latencyMs))
    print(`  ${name.padEnd(38)} p50 ${p50} ms, p95 ${p95} ms, longest ${max} ms`);
  if (aboveLimit.length === 0) return;
  print(`  above 200 ms: ${aboveLimit.join('; ')}`);
  process.exitCode = 1;
}

export function printDashboards({ dashboards, pairs, ratio, lost, duplicated }: DashboardFigures): void {
  print(`whole payments per second without and with ${dashboards} open dashboards, in turn`);
  for (const pair of pairs)
    print(
      `  ${pair.without.toFixed(0)}/s without, ${pair.with.toFixed(0)}/s with (${(pair.with / pair.without).toFixed(2)}), ${pair.requests} requests of pages`,
    );
  print(`  median ${ratio.toFixed(3)} times the payments; ${lost} lost, ${duplicated} duplicated`);
}
