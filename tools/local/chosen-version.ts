import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServiceName } from '@pay/contracts';

interface Version {
  /** A built checkout with its packages. Default: this one. */
  readonly root?: string;
  /** Settings that only this version needs. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * For upgrade tests: `versions/<service>.json` in the run folder selects the version that a service runs after its next
 * start.
 */
export function chosenVersion(runDir: string, service: ServiceName): Version {
  const file = join(runDir, 'versions', `${service}.json`);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Version) : {};
}
