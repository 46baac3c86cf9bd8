import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServiceName } from '@pay/contracts';

interface Version {
  /** A checkout with its packages, built. This one unless given. */
  readonly root?: string;
  /** Settings that this version needs and the current one does not. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Which version of a service runs from its next start on: `versions/<service>.json` in the run folder, for tests of
 * upgrades.
 */
export function chosenVersion(runDir: string, service: ServiceName): Version {
  const file = join(runDir, 'versions', `${service}.json`);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Version) : {};
}
