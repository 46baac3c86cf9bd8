import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@pay/local-servers';
import { eventually, provideProgram } from '@pay/testing';

const ROOT = join(__dirname, '..', '..', '..');
const EXAMPLES = join(ROOT, 'docs', 'webhooks', 'examples');

export const LANGUAGES = ['Node', 'PHP', 'Python'] as const;
export type Language = (typeof LANGUAGES)[number];

/** An example of docs/webhooks/examples as a merchant runs it. */
export interface RunningExample {
  readonly url: string;
  /** Intents in the order it fulfilled them. */
  fulfilled(): string[];
  stop(): Promise<void>;
}

/** A folder where our package is installed from its archive, below the repository so that Express is found. */
export function installPackage(): { readonly folder: string; remove(): void } {
  const cache = join(ROOT, 'node_modules', '.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'webhook-examples-'));
  const archive = execFileSync(process.execPath, [join(ROOT, 'tools', 'pack-signing.mjs'), folder], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
  const home = join(folder, 'node_modules', '@pay', 'signing');
  mkdirSync(home, { recursive: true });
  execFileSync('tar', ['xzf', archive, '-C', home, '--strip-components=1']);
  copyFileSync(join(EXAMPLES, 'express.mjs'), join(folder, 'express.mjs'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export async function startExample(
  language: Language,
  folder: string,
  secrets: Record<string, string>,
): Promise<RunningExample> {
  const port = await freePort();
  const { child, output } = await spawnExample(language, folder, { ...secrets, PORT: String(port) });
  const url = `http://127.0.0.1:${port}`;
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(output.join(''));
    return (await fetch(url, { headers: { connection: 'close' } })).status > 0;
  }, `the example in ${language} answers`).catch(async (error: unknown) => {
    await end(child);
    throw error;
  });
  return {
    url: `${url}/webhooks`,
    fulfilled: () => [...output.join('').matchAll(/fulfilled (\S+)/g)].map(([, id]) => String(id)),
    stop: () => end(child),
  };
}

/** What an example prints that cannot use its port, once it has ended. */
export async function complaintAbout(takenPort: number, language: Language, folder: string): Promise<string> {
  const settings = { WEBHOOK_SECRET: 'a-long-random-text', PORT: String(takenPort) };
  const { child, output } = await spawnExample(language, folder, settings);
  await once(child, 'close');
  return output.join('');
}

async function spawnExample(language: Language, folder: string, settings: Record<string, string>) {
  const [program, args] = await commandOf(language, folder, Number(settings['PORT']));
  const env = { PATH: process.env['PATH'], HOME: folder, FULFILLED_FOLDER: folder, ...settings };
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => output.push(chunk.toString()));
  return { child, output };
}

async function commandOf(language: Language, folder: string, port: number): Promise<[string, string[]]> {
  const log = (line: string) => process.stderr.write(`${line}\n`);
  if (language === 'Node') return [process.execPath, [join(folder, 'express.mjs')]];
  if (language === 'Python') {
    const elsewhere = 'macOS: `brew install python`';
    const python = await provideProgram({ name: 'python3', debianPackage: 'python3', elsewhere }, log);
    return [python, [join(EXAMPLES, 'server.py')]];
  }
  const php = await provideProgram(
    { name: 'php', debianPackage: 'php-cli', elsewhere: 'macOS: `brew install php`' },
    log,
  );
  return [php, ['-S', `127.0.0.1:${port}`, join(EXAMPLES, 'server.php')]];
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}
