/**
 * Rows in the order in which `npm run cluster` runs them. `title` is the first column; `mayFail` names the requests
 * that a killed process may interrupt.
 */
export const ROWS = {
  upgrade: { title: 'upgrade with migrations from an earlier commit', mayFail: false },
  load: { title: 'nothing but the load', mayFail: false },
  restart: { title: 'rolling restart of all six services', mayFail: false },
  kill: { title: 'a pod of each service killed without grace', mayFail: true },
  drain: { title: 'kubectl drain under the disruption budgets', mayFail: false },
  scale: { title: 'sms-ingest scaled from 1 to 4 to 1', mayFail: false },
  'never-ready': { title: 'a release that never becomes ready', mayFail: false },
} as const;

export type LoadRowName = keyof typeof ROWS;
/** `network` and `overlays` have separate tables. `audit` compares the data of all services after all other rows. */
export type RowName = LoadRowName | 'network' | 'overlays' | 'audit';

export const LOAD_ROW_NAMES = Object.keys(ROWS) as LoadRowName[];
export const ROW_NAMES: readonly RowName[] = ['upgrade', 'network', 'overlays', ...LOAD_ROW_NAMES.slice(1), 'audit'];

export function isRowName(name: string): name is RowName {
  return (ROW_NAMES as readonly string[]).includes(name);
}

export function isLoadRow(name: RowName): name is LoadRowName {
  return name in ROWS;
}
