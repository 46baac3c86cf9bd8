import { backOff } from './back-off';

export interface PollOptions {
  readonly everyMs: number;
  /** If set, the wait between two polls doubles up to this value. */
  readonly longestMs?: number;
  readonly withinMs: number;
}

/** Polls until the result is accepted or the time is over. Returns the last result. */
export async function pollUntil<Answer>(
  ask: () => Promise<Answer>,
  isRight: (answer: Answer) => boolean,
  { everyMs, longestMs = everyMs, withinMs }: PollOptions,
): Promise<Answer> {
  const pauses = backOff({ firstMs: everyMs, longestMs });
  const end = performance.now() + withinMs;
  for (;;) {
    const isLast = performance.now() >= end;
    const answer = await ask();
    if (isLast || isRight(answer)) return answer;
    await pauses.wait();
  }
}
