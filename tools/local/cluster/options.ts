import { join, resolve } from 'node:path';
import { readOptions, ROOT } from '../arguments';
import { isRowName, ROW_NAMES, type RowName } from './rows';

const DEFAULT_RATE = 100;
const HIGHEST_RATE = 10_000;

export const USAGE = `npm run cluster -- [OPTIONS]
  --image IMAGE           image of the services; default: it is built from this checkout, as npm run images builds it
  --from COMMIT           installs the release of this commit first; the row upgrade replaces it by that of this checkout
  --node-image IMAGE      base image of the builds, as in npm run images
  --build-network NETWORK network of the builds, as in npm run images
  --load-image COMMAND    gives the nodes an image of the local Docker engine, such as 'kind load docker-image'; the name of
                          the image is added as last argument. Without it the nodes must hold or be able to fetch all images
  --shop-host ADDRESS     address of this machine at which pods reach the shop's server, default 10.213.0.1
  --rate NUMBER           payments per second of the rows under load, default ${DEFAULT_RATE}
  --rows NAMES            rows to play, separated by commas, or none; default all of
                          ${ROW_NAMES.join(', ')}
  --continue              plays the rows in the system that an earlier run has installed, and keeps the results of that run;
                          the row upgrade replaces the release that runs there
  --run-dir FOLDER        keys of the merchants and results, default .run/cluster
Environment: KUBECONFIG. Without --continue the cluster must have no namespace payment-gateway: existing objects are not changed.
Example: npm run cluster -- --rows kill,drain --rate ${DEFAULT_RATE}
`;

export interface ClusterOptions {
  readonly image: string | undefined;
  readonly from: string | undefined;
  readonly nodeImage: string | undefined;
  readonly buildNetwork: string | undefined;
  readonly loadImage: string | undefined;
  readonly shopHost: string;
  readonly rate: number;
  readonly rows: readonly RowName[];
  readonly isContinued: boolean;
  readonly runDir: string;
  readonly help: boolean;
}

/** Throws an Error with a message for the user. */
export function parseClusterOptions(args: readonly string[], cwd = process.cwd()): ClusterOptions {
  const values = readOptions(args, USAGE, {
    image: { type: 'string' },
    from: { type: 'string' },
    'node-image': { type: 'string' },
    'build-network': { type: 'string' },
    'load-image': { type: 'string' },
    'shop-host': { type: 'string', default: '10.213.0.1' },
    rate: { type: 'string', default: String(DEFAULT_RATE) },
    rows: { type: 'string' },
    continue: { type: 'boolean', default: false },
    'run-dir': { type: 'string' },
    help: { type: 'boolean', default: false },
  });
  const { from } = values;
  const isContinued = values.continue;
  const rows = rowsOf(values.rows);
  const rate = Number(values.rate);
  if (!(rate >= 1 && rate <= HIGHEST_RATE)) {
    throw new Error(
      `--rate must be a number from 1 to ${HIGHEST_RATE}, not ${values.rate}. Example: --rate ${DEFAULT_RATE}`,
    );
  }
  if (isContinued && from !== undefined) {
    throw new Error(
      '--from installs another release, and --continue installs nothing: use one of them. Example: npm run cluster -- --continue',
    );
  }
  if (values.rows !== undefined && rows.includes('upgrade') && from === undefined && !isContinued) {
    throw new Error(
      'The row upgrade needs --from COMMIT, the release that runs before. Example: npm run cluster -- --from HEAD~20',
    );
  }
  return {
    image: values.image,
    from,
    nodeImage: values['node-image'],
    buildNetwork: values['build-network'],
    loadImage: values['load-image'],
    shopHost: values['shop-host'],
    rate,
    // The release before the upgrade comes from --from or from a continued run.
    rows: values.rows === undefined && from === undefined ? rows.filter((row) => row !== 'upgrade') : rows,
    isContinued,
    runDir: values['run-dir'] === undefined ? join(ROOT, '.run', 'cluster') : resolve(cwd, values['run-dir']),
    help: values.help,
  };
}

function rowsOf(names: string | undefined): RowName[] {
  if (names === 'none') return [];
  const wanted = names?.split(',') ?? ROW_NAMES;
  const unknown = wanted.filter((name) => !isRowName(name));
  if (unknown.length > 0) {
    throw new Error(
      `--rows does not know ${unknown.join(', ')}. Rows are ${ROW_NAMES.join(', ')}, or none. Example: --rows ${ROW_NAMES[0]}`,
    );
  }
  // In a fixed order, because each row needs the cluster as the previous one leaves it.
  return ROW_NAMES.filter((name) => wanted.includes(name));
}
