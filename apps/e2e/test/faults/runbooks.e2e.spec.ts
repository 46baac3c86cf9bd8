import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '..', '..', '..', '..');
const RUNBOOKS = join(ROOT, 'docs', 'runbooks');

const commands = readdirSync(RUNBOOKS).flatMap((page) =>
  [...readFileSync(join(RUNBOOKS, page), 'utf8').matchAll(/```sh\n([^`]*)```/g)].flatMap(([, block = '']) =>
    block.trim().split('\n'),
  ),
);

describe('the commands of docs/runbooks, run as they are written', () => {
  // 1 is the answer of commands that look for something wrong and find it; other stories cause such things on purpose.
  it.each([...new Set(commands)])('%s works as documented', (command) => {
    const { status, stderr } = spawnSync('sh', ['-c', command], {
      cwd: ROOT,
      encoding: 'utf8',
      env: { ...process.env, RUN_DIR: process.env['E2E_RUN_DIRECTORY'] ?? '.run' },
    });

    expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({
      status: command.includes(' cli ') && status === 1 ? 1 : 0,
      stderr: expect.any(String),
    });
  });
});
