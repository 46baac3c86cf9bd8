import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { endWith } from './end-with';
import { ProgressPrinter } from './progress-printer';
import { playPayment } from './play-payment';
import type { Seed } from './seed-file';

const USAGE = `play --base-url URL --seed FILE [--shop-host ADDRESS]
  --base-url URL       public address of the installation
  --seed FILE          merchants that dashboard-api's seed program has created
  --shop-host ADDRESS  address of this machine at which webhook-dispatcher reaches the shop's server, default 127.0.0.1
Environment: NODE_EXTRA_CA_CERTS (authority of the installation's certificate)
`;

async function play(): Promise<number> {
  const { values } = parseArgs({
    options: { 'base-url': { type: 'string' }, seed: { type: 'string' }, 'shop-host': { type: 'string' } },
  });
  if (values['base-url'] === undefined || values.seed === undefined) {
    process.stderr.write(USAGE);
    return 2;
  }
  const { merchants } = JSON.parse(readFileSync(values.seed, 'utf8')) as Pick<Seed, 'merchants'>;
  const [merchant] = merchants;
  if (merchant === undefined) throw new Error(`${values.seed} names no merchant.`);
  await playPayment(values['base-url'], merchant, new ProgressPrinter(), values['shop-host']);
  return 0;
}

void endWith(play);
