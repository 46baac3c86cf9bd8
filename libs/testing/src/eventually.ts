import { setTimeout as delay } from 'node:timers/promises';

const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 100;
/** Not a promised latency: longer than a busy machine needs, and shorter than the timeout of a test. */
const PATIENCE_MS = 25_000;

export interface EventuallyOptions {
  readonly timeoutMs?: number;
}

/**
 * Polls a probe until it returns a value, and returns that value; `false`, nothing and errors are polled again. After
 * the timeout it throws the description with the last error of the probe.
 */
export async function eventually<T>(
  probe: () => Promise<T | false | undefined | null> | T | false | undefined | null,
  sentence: string,
  { timeoutMs = PATIENCE_MS }: EventuallyOptions = {},
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  let lastError: unknown;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    try {
      const answer = await probe();
      lastError = undefined;
      if (answer !== false && answer !== undefined && answer !== null) return answer;
    } catch (error) {
      lastError = error;
    }
    if (Date.now() >= deadline) throw new Error(failure(sentence, timeoutMs, lastError), { cause: lastError });
    await delay(pause);
  }
}

function failure(sentence: string, timeoutMs: number, lastError: unknown): string {
  const reason = lastError === undefined ? '' : `; the last try failed: ${messageOf(lastError)}`;
  return `Not within ${timeoutMs / 1000} s: ${sentence}${reason}`;
}

function messageOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error);
}
