import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** A process id and its start time, so that another process with the same id is not mistaken for it. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startedAt: string;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
  return processState(pid) !== 'Z';
}

export function identifyProcess(pid: number): ProcessIdentity | undefined {
  if (!isAlive(pid)) return undefined;
  const startedAt = statFields(pid)?.[19] ?? ps(pid, 'lstart=');
  return startedAt === undefined ? undefined : { pid, startedAt };
}

export function isSameProcess(identity: ProcessIdentity): boolean {
  return identifyProcess(identity.pid)?.startedAt === identity.startedAt;
}

/** The command line of a process, arguments separated by spaces; empty if it has ended or is not readable. */
export function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return ps(pid, 'command=') ?? '';
  }
}

interface PidFile {
  readonly path: string;
  /** The command line must contain it, because the system may have given the process id to another process. */
  readonly mark: string;
}

/** Ends the process that has written this file, if it still runs. */
export async function endProcessOf(
  { path, mark }: PidFile,
  signal: NodeJS.Signals,
  timeoutMs: number,
  onFound: (pid: number) => void = () => undefined,
): Promise<void> {
  if (!existsSync(path)) return;
  const pid = Number(readFileSync(path, 'utf8').split('\n')[0]);
  if (!(pid > 0 && isAlive(pid) && commandLine(pid).includes(mark))) return;
  onFound(pid);
  await endProcess(pid, signal, timeoutMs);
}

/** Sends a signal and waits for the end; after a timeout sends SIGKILL and waits again. */
export async function endProcess(pid: number, signal: NodeJS.Signals, timeoutMs: number): Promise<void> {
  if (!send(pid, signal)) return;
  if (await isGone(pid, timeoutMs)) return;
  send(pid, 'SIGKILL');
  if (!(await isGone(pid, 10_000))) throw new Error(`Process ${pid} does not end, not even by SIGKILL.`);
}

export async function isGone(pid: number, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (isAlive(pid)) {
    if (Date.now() > deadline) return false;
    await delay(20);
  }
  return true;
}

function send(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if (errorCode(error) === 'ESRCH') return false;
    throw error;
  }
}

function processState(pid: number): string | undefined {
  return statFields(pid)?.[0];
}

/** Fields of /proc/<pid>/stat after the command name, which may contain spaces: `12 (my prog) S 1 ...` -> S, 1, ... */
function statFields(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

function ps(pid: number, column: string): string | undefined {
  try {
    const text = execFileSync('ps', ['-o', column, '-p', String(pid)], { stdio: ['ignore', 'pipe', 'ignore'] });
    return text.toString().trim() || undefined;
  } catch {
    return undefined;
  }
}

/**
 * The code of a system error such as ESRCH, also for errors of another realm (jest), for which `instanceof Error` is
 * false.
 */
export function errorCode(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
