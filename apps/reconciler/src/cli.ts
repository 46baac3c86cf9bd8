import { printAnswerOf } from '@pay/runtime';
import { EXAMPLE, readVerifyOptions } from './cli/verify-options';
import { runVerify } from './cli/run-verify';

/** Exit codes: a difference was found; the check could not run. */
const BROKEN = 1;
const NOT_CHECKED = 2;

async function run(): Promise<string> {
  const options = readVerifyOptions(process.argv.slice(2));
  if (typeof options === 'string') return options;
  const chains = await runVerify(process.env, options);
  for (const { merchantId, environment, broken } of chains) {
    if (broken === null) continue;
    const { problem, position, decisionId, matchId, paymentIntentId } = broken;
    const names = `decision ${decisionId ?? 'unknown'}, match ${matchId ?? 'unknown'}, intent ${paymentIntentId ?? 'unknown'}`;
    process.stderr.write(
      `verify-decisions: broken ${position === null ? 'outside the linked entries' : `at entry ${position}`} of ${merchantId} ${environment} (${names}): ${problem}\n`,
    );
    process.exitCode = BROKEN;
  }
  return JSON.stringify({ chains }, undefined, 2);
}

void printAnswerOf('verify-decisions', run, {
  help: `Example: ${EXAMPLE}\n--help describes all options and settings`,
  failed: NOT_CHECKED,
});
