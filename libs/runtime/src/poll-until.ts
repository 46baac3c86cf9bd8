import { setTimeout as delay } from 'node:timers/promises';

export interface PollOptions {
  readonly everyMs: number;
  readonly withinMs: number;
}

/** Asks until the answer is right or the time is over. Returns the last answer. */
export async function pollUntil<Answer>(
  ask: () => Promise<Answer>,
  isRight: (answer: Answer) => boolean,
  { everyMs, withinMs }: PollOptions,
): Promise<Answer> {
  const end = performance.now() + withinMs;
  for (;;) {
    const isLast = performance.now() >= end;
    const answer = await ask();
    if (isLast || isRight(answer)) return answer;
    await delay(everyMs);
  }
}
