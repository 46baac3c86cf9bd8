import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Log } from './log';
import { lastLinesOf, resultOf } from './run-program';

/**
 * Debian starts a service when its package is installed, unless `policy-rc.d` exits with 101; an existing `policy-rc.d`
 * is restored, also after Ctrl-C. Concurrent installations wait for each other, and a service that was not installed
 * before is disabled at boot.
 */
const SCRIPT = `
set -e
exec 9>/var/lock/payment-gateway-install
flock 9
policy=/usr/sbin/policy-rc.d
saved=$(mktemp -d)
if [ -e "$policy" ]; then cp -a "$policy" "$saved/"; fi
restore() {
  if [ -e "$saved/policy-rc.d" ]; then cp -a "$saved/policy-rc.d" "$policy"; else rm -f "$policy"; fi
  rm -rf "$saved"
}
trap restore EXIT
trap 'exit 130' INT TERM HUP
printf '#!/bin/sh\\nexit 101\\n' >"$policy"
chmod 755 "$policy"
export DEBIAN_FRONTEND=noninteractive
apt-get -q -o DPkg::Lock::Timeout=300 update
apt-get -q -o DPkg::Lock::Timeout=300 install -y --no-install-recommends "$1"
systemctl disable "$1" >/dev/null 2>&1 || true
`;

/** Root runs commands directly, other users through sudo if it needs no password. */
export function installer(): readonly string[] | undefined {
  if (!existsSync('/usr/bin/apt-get')) return undefined;
  if (process.getuid?.() === 0) return ['sh', '-c', SCRIPT, 'sh'];
  const sudo = spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' });
  return sudo.status === 0 ? ['sudo', '-n', 'sh', '-c', SCRIPT, 'sh'] : undefined;
}

export async function installPackage(command: readonly string[], name: string, log: Log): Promise<void> {
  log(`Installing ${name} with apt-get (about half a minute)`);
  const [program = 'sh', ...args] = command;
  const { code, stdout, stderr } = await resultOf(program, [...args, name]);
  if (code !== 0) throw new Error(`apt-get could not install ${name}:\n${lastLinesOf(`${stdout}${stderr}`, 8)}`);
}
