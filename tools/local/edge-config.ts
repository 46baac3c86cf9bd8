import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './arguments';
import { edgeConfig } from './nginx-config';

const FILE = join('deploy', 'compose', 'edge', 'nginx.conf');

writeFileSync(join(ROOT, FILE), edgeConfig());
console.log(`${FILE} is written`);
