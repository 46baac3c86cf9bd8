import type { DecisionFigures } from './decisions';
import { print, row } from './print';
import type { Percentiles } from './scenarios';

const LEAST_PER_SECOND = 2_000;
const MOST_TIMES_THE_FIRST = 1.3;
const MOST_SECONDS_OF_EXPIRY = 120;
const MOST_MATCH_MS = 1_000;

export function printDecisions({ rates, growth, expiry }: DecisionFigures): void {
  print('decisions, by one reconciler');
  for (const { merchants, intentsQueued, decisions, perSecond, recordedAfterMs, cpuMsPerDecision: cpu } of rates) {
    const what = `${intentsQueued ? 'intents and texts' : 'texts'} of ${merchants > 1 ? `${merchants} merchants` : 'one merchant'}`;
    row(what, perSecond, `/s over ${decisions} (target ${LEAST_PER_SECOND})`);
    print(
      `    the last is in its chain after ${recordedAfterMs.toFixed(0)} ms; processor: reconciler ${cpu.reconciler.toFixed(2)} ms, Postgres ${cpu.database.toFixed(2)} ms each`,
    );
  }
  const [first] = growth;
  for (const { openIntents, batchMs, singleMs, intentLastMs, cpuMsPerDecision: cpu } of growth) {
    print(`with ${openIntents.toLocaleString('en')} open intents and as many stored texts`);
    costRow('100 texts together', batchMs, first?.batchMs);
    costRow('one text', singleMs, first?.singleMs);
    costRow('one intent whose text waits', intentLastMs, first?.intentLastMs);
    print(
      `    processor: reconciler ${cpu.reconciler.toFixed(2)} ms, Postgres ${cpu.database.toFixed(2)} ms per decision`,
    );
  }
  print(`${expiry.expired.toLocaleString('en')} intents that end within ${expiry.dueWithinSeconds} s`);
  row('expired after', expiry.seconds, `s (target at most ${MOST_SECONDS_OF_EXPIRY})`);
  const { p50, p99, max } = expiry.matchMs;
  print(
    `  ${'meanwhile, text to payment'.padEnd(34)} p50 ${p50} ms, p99 ${p99} ms, max ${max} ms (target at most ${MOST_MATCH_MS})`,
  );
}

function costRow(name: string, ms: Percentiles, first: Percentiles = ms): void {
  const times = (ms.p50 / first.p50).toFixed(2);
  print(
    `  ${name.padEnd(34)} p50 ${ms.p50} ms, p99 ${ms.p99} ms: ${times} times the first (target ${MOST_TIMES_THE_FIRST})`,
  );
}
