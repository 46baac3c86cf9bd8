import { randomSeed } from './seed/random-seed';

const HELP = `Usage: node dist/apps/dashboard-api/make-seed.js > seed.json

Prints two merchants with random ids, keys, passwords and wallet numbers, in the shape that seed.js reads.
The file holds secrets in the clear: keep it readable by its owner alone. Nothing else is touched.`;

process.stdout.write(`${process.argv.includes('--help') ? HELP : JSON.stringify(randomSeed(), undefined, 2)}\n`);
