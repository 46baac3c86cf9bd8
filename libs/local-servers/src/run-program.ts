import { spawn, type SpawnOptionsWithoutStdio } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

export interface ProgramResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface ProgramOptions extends Pick<SpawnOptionsWithoutStdio, 'cwd' | 'env'> {
  readonly input?: string | undefined;
  /** Receives the output as it arrives. */
  readonly onText?: (text: string) => void;
}

/** Resolves with any exit code. */
export async function resultOf(
  program: string,
  args: readonly string[],
  { input, onText, ...options }: ProgramOptions = {},
): Promise<ProgramResult> {
  const child = spawn(program, args, options);
  if (onText) for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', onText);
  child.stdin.on('error', () => undefined).end(input);
  const closed = once(child, 'close') as Promise<[number | null]>;
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
  return { code, stdout, stderr };
}

/** Returns the output. Throws the end of it, after the title of the program, if the exit code is not 0. */
export async function outputOf(
  program: string,
  args: readonly string[],
  { title = `${program} ${args.slice(0, 6).join(' ')}`, ...options }: ProgramOptions & { readonly title?: string } = {},
): Promise<string> {
  const { code, stdout, stderr } = await resultOf(program, args, options);
  if (code === 0) return stdout;
  throw new Error(`${title} ended with code ${code}:\n${lastLinesOf(`${stdout}${stderr}`, 12)}`);
}

export function lastLinesOf(output: string, count: number): string {
  return output.trimEnd().split('\n').slice(-count).join('\n');
}
