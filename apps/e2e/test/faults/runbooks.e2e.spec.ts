import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';

const ROOT = resolve(__dirname, '..', '..', '..', '..');
const RUNBOOKS = join(ROOT, 'docs', 'runbooks');

const commands = [
  ...new Set(
    readdirSync(RUNBOOKS).flatMap((page) =>
      [...readFileSync(join(RUNBOOKS, page), 'utf8').matchAll(/```sh\n([^`]*)```/g)].flatMap(([, block = '']) =>
        block.trim().split('\n'),
      ),
    ),
  ),
];
/** Of a running process or its log: several can run at the same time. */
const isRead = (command: string): boolean => / (?:ready|metrics|logs)\b/.test(command);

async function worksAsDocumented(command: string): Promise<void> {
  const shell = spawn('sh', ['-c', command], {
    cwd: ROOT,
    env: { ...process.env, RUN_DIR: process.env['E2E_RUN_DIRECTORY'] ?? '.run' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve, reject) => shell.once('error', reject).once('close', resolve));
  const [status, stderr] = await Promise.all([ended, text(shell.stderr)]);

  // 1 is the answer of commands that look for something wrong and find it; other stories cause such things on purpose.
  expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({
    status: command.includes(' cli ') && status === 1 ? 1 : 0,
    stderr: expect.any(String),
  });
}

describe('the commands of docs/runbooks, run as they are written', () => {
  test.concurrent.each(commands.filter(isRead))('%s works as documented', worksAsDocumented);

  test.each(commands.filter((command) => !isRead(command)))('%s works as documented', worksAsDocumented);
});
