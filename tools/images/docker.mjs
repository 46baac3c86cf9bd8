import { spawn, spawnSync } from 'node:child_process';

/** Runs Docker and returns its output; throws the end of the output if it fails. */
export function docker(args, { input } = {}) {
  const { status, stdout, stderr, error } = spawnSync('docker', args, { encoding: 'utf8', input, maxBuffer: 64 << 20 });
  if (error) throw new Error(`docker cannot be run: ${error.message}`);
  if (status !== 0) throw new Error(`docker ${args[0]} failed:\n${tail(stderr || stdout)}`);
  return stdout.trim();
}

/** The same with its output on the terminal, for what takes long. */
export async function dockerAloud(args) {
  const code = await new Promise((resolve, reject) => {
    const child = spawn('docker', args, { stdio: 'inherit' });
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(`docker ${args[0]} ended with code ${code}; the reason is above.`);
}

/** Whether a Docker engine answers. */
export function hasDocker() {
  return spawnSync('docker', ['version', '--format', '{{.Server.Version}}'], { stdio: 'ignore' }).status === 0;
}

function tail(text) {
  return text.trimEnd().split('\n').slice(-12).join('\n');
}
