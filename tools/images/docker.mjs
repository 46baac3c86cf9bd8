import { spawnSync } from 'node:child_process';

/** Returns the output. Throws the end of the output if Docker fails. */
export function docker(args, { input } = {}) {
  const { status, stdout, stderr, error } = spawnSync('docker', args, { encoding: 'utf8', input, maxBuffer: 64 << 20 });
  if (error) throw new Error(`docker cannot be run: ${error.message}`);
  if (status !== 0) throw new Error(`docker ${args[0]} failed:\n${tail(stderr || stdout)}`);
  return stdout.trim();
}

export function hasDocker() {
  return spawnSync('docker', ['version', '--format', '{{.Server.Version}}'], { stdio: 'ignore' }).status === 0;
}

function tail(text) {
  return text.trimEnd().split('\n').slice(-12).join('\n');
}
