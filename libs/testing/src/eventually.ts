import { setTimeout as delay } from 'node:timers/promises';

const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 100;
/**
 * No promise of ours: what a machine that is busy with everything else may make of a moment, and less than a test may
 * take.
 */
const PATIENCE_MS = 25_000;

export interface EventuallyOptions {
  readonly timeoutMs?: number;
}

/**
 * Asks again and again until the probe answers with something, and returns that. A probe that answers `false` or
 * nothing, or throws, is asked again; when the time is over the sentence tells what never came true, with the probe's
 * last error.
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
