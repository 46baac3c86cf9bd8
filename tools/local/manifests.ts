/**
 * `node tools/manifests.mjs`: generates files of deploy/k8s from the messaging topology and from the rules of
 * Prometheus.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './arguments';
import { generatedFiles } from '../k8s/generated-files';

for (const [path, text] of generatedFiles(ROOT)) {
  writeFileSync(join(ROOT, path), text);
  console.log(path);
}
