/**
 * `npm run clean`: deletes everything that `npm start` stores, including data outside the checkout. Refuses to run
 * while the system runs.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { endServersBelow, lockHolder, lockStateDir } from '@pay/local-servers';
import { ROOT } from './arguments';
import { endLeftBehind } from './left-behind';
import { messageOf } from './message-of';
import { forgetTestRun, testFolders } from './test-folders';

async function clean(): Promise<void> {
  const runDir = join(ROOT, '.run');
  const testRuns = testFolders().flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));
  if (!existsSync(runDir) && testRuns.length === 0) {
    console.log('There is no data to delete.');
    return;
  }
  for (const folder of [runDir, ...testRuns]) {
    const holder = lockHolder(folder);
    if (holder) throw new Error(`${holder.purpose} is running (process ${holder.pid}). Stop it before npm run clean.`);
  }
  // Concurrent starts are refused. The lock is deleted together with the folder.
  lockStateDir(runDir, 'npm run clean');
  for (const folder of testRuns) await forgetTestRun(folder);
  await endLeftBehind(runDir);
  await endServersBelow(runDir);
  rmSync(runDir, { recursive: true, force: true });
  console.log('Data, secrets and logs are deleted.');
}

clean().catch((error: unknown) => {
  console.error(messageOf(error));
  process.exit(1);
});
