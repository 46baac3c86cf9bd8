import { backOff } from './back-off';

export interface PollOptions {
  readonly everyMs: number;
  /** With it the wait between two questions doubles up to this. */
  readonly longestMs?: number;
  readonly withinMs: number;
}

/** Asks until the answer is right or the time is over. Returns the last answer. */
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
