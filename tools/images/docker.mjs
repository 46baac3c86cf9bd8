import { spawn, spawnSync } from 'node:child_process';

/** Returns the output. Throws the end of the output if Docker fails. */
export function docker(args, { input } = {}) {
  const { status, stdout, stderr, error } = spawnSync('docker', args, { encoding: 'utf8', input, maxBuffer: 64 << 20 });
  if (error) throw new Error(`docker cannot be run: ${error.message}`);
  if (status !== 0) throw new Error(`docker ${args[0]} failed:\n${tail(stderr || stdout)}`);
  return stdout.trim();
}

/** Shows the output on the terminal, for commands that take long. */
export async function dockerAloud(args) {
  const code = await new Promise((resolve, reject) => {
    const child = spawn('docker', args, { stdio: 'inherit' });
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(`docker ${args[0]} ended with code ${code}; the reason is above.`);
}

export function hasDocker() {
  return spawnSync('docker', ['version', '--format', '{{.Server.Version}}'], { stdio: 'ignore' }).status === 0;
}

function tail(text) {
  return text.trimEnd().split('\n').slice(-12).join('\n');
}
