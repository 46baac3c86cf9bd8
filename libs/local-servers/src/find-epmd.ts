import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Erlang's port mapper. It may be missing on the PATH. */
export function findEpmd(path = process.env['PATH'] ?? ''): string {
  const places = [...path.split(delimiter), '/usr/local/bin', '/usr/bin'].map((dir) => join(dir, 'epmd'));
  const found = places.find((place) => existsSync(place)) ?? inErlangRoot();
  if (!found) throw new Error('Erlang is incomplete: its `epmd` is neither on the PATH nor in its own folder.');
  return found;
}

function inErlangRoot(): string | undefined {
  const ask = ['-noshell', '-eval', 'io:format("~s", [code:root_dir()]), halt().'];
  const root = execFileSync('erl', ask, { encoding: 'utf8' });
  const runtime = readdirSync(root).find((name) => name.startsWith('erts-'));
  const place = runtime === undefined ? undefined : join(root, runtime, 'bin', 'epmd');
  return place !== undefined && existsSync(place) ? place : undefined;
}
