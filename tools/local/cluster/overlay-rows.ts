import { join } from 'node:path';
import { resultOf } from '@pay/local-servers';
import { ROOT } from '../arguments';
import type { Row } from './network-rows';

export const OVERLAYS = ['local', 'staging', 'production'] as const;

/** A server-side dry run of every object, with strict validation. */
export async function overlayRows(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const overlay of OVERLAYS) {
    const folder = join(ROOT, 'deploy', 'k8s', 'overlays', overlay);
    const args = ['apply', '--dry-run=server', '--validate=strict', '-k', folder];
    rows.push(overlayRow(overlay, await resultOf('kubectl', args)));
  }
  return rows;
}

/** Kinds without a definition in the cluster cannot be checked. They are named and are not a problem. */
export function overlayRow(name: string, { stdout, stderr }: { stdout: string; stderr: string }): Row {
  const accepted = linesOf(stdout).filter((line) => line.endsWith('(server dry run)')).length;
  const unknown = [...stderr.matchAll(/no matches for kind "(\w+)"/g)].map(([, kind = '']) => kind);
  const problems = linesOf(stderr).filter(
    (line) =>
      !/no matches for kind|^ensure CRDs are installed first$|missing the kubectl\.kubernetes\.io\/last-applied/.test(
        line,
      ),
  );
  const seen = [
    `${accepted} objects accepted`,
    ...(unknown.length === 0 ? [] : [`no definition in this cluster: ${[...new Set(unknown)].join(', ')}`]),
    ...problems,
  ];
  return { name, isGood: accepted > 0 && problems.length === 0, seen: seen.join('; ') };
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}
