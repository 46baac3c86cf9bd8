// Output for Nx (nx.json): inputs of specs outside of the checkout.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../bootstrap.mjs';

const corpus = join(ROOT, '..', 'shared', 'sms', 'samples.jsonl');
const digest = existsSync(corpus) ? createHash('sha256').update(readFileSync(corpus)).digest('hex') : 'absent';
console.log(`node ${process.version} ${process.platform} ${process.arch}, corpus ${digest}`);
