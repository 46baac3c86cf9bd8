import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivately } from '../write-privately';
import type { LoadFigures } from './load-figures';
import type { Row } from './network-rows';
import type { LoadRowName } from './rows';

export interface LoadRowResult {
  readonly done: string;
  /** Requested payments per second. */
  readonly rate: number;
  readonly figures?: LoadFigures;
  readonly problems: readonly string[];
}

type PerPod = Readonly<Record<string, number>>;

export interface Results {
  /** The running image, or the one that the row upgrade installs. */
  readonly image: string;
  readonly machine: string;
  readonly rows: Readonly<Partial<Record<LoadRowName, LoadRowResult>>>;
  readonly network: readonly Row[];
  readonly overlays: readonly Row[];
  readonly audit?: { readonly seen: string; readonly problems: readonly string[] };
  /** Seconds to readiness: of all services together, and of one service under load. */
  readonly readyTogether: PerPod;
  readonly readyAlone: PerPod;
  /** MiB. */
  readonly memoryAtRest: PerPod;
  readonly memoryUnderLoad: PerPod;
}

export function emptyResults(image: string, machine: string): Results {
  const nothing = {
    rows: {},
    network: [],
    overlays: [],
    readyTogether: {},
    readyAlone: {},
    memoryAtRest: {},
    memoryUnderLoad: {},
  };
  return { image, machine, ...nothing };
}

/** Contains the keys of the merchants and the results. */
export class RunFolder {
  constructor(private readonly folder: string) {}

  get seedFile(): string {
    return join(this.folder, 'seed.json');
  }

  private get resultsFile(): string {
    return join(this.folder, 'results.json');
  }

  create(seed: unknown, results: Results): void {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    writePrivately(this.seedFile, seed);
    this.write(results);
  }

  write(results: Results): void {
    writePrivately(this.resultsFile, results);
  }

  read(): Results {
    if (!existsSync(this.resultsFile)) {
      throw new Error(`${this.folder} knows no installation: run npm run cluster without --continue first.`);
    }
    return JSON.parse(readFileSync(this.resultsFile, 'utf8')) as Results;
  }
}
