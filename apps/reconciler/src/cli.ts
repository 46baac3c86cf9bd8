import { UsageError } from '@pay/runtime';
import { EXAMPLE, readVerifyOptions } from './cli/verify-options';
import { runVerify } from './cli/run-verify';

/** Exit codes: a difference was found; the check could not run. */
const BROKEN = 1;
const NOT_CHECKED = 2;

async function run(): Promise<void> {
  const options = readVerifyOptions(process.argv.slice(2));
  if (typeof options === 'string') {
    process.stdout.write(`${options}\n`);
    return;
  }
  const chains = await runVerify(process.env, options);
  process.stdout.write(`${JSON.stringify({ chains }, undefined, 2)}\n`);
  for (const { merchantId, environment, broken } of chains) {
    if (broken === null) continue;
    const { problem, position, decisionId, matchId, paymentIntentId } = broken;
    const names = `decision ${decisionId ?? 'unknown'}, match ${matchId ?? 'unknown'}, intent ${paymentIntentId ?? 'unknown'}`;
    process.stderr.write(
      `verify-decisions: broken ${position === null ? 'outside the linked entries' : `at entry ${position}`} of ${merchantId} ${environment} (${names}): ${problem}\n`,
    );
    process.exitCode = BROKEN;
  }
}

run().catch((error: unknown) => {
  const problems =
    error instanceof UsageError ? error.problems : [error instanceof Error ? error.message : String(error)];
  for (const problem of problems) process.stderr.write(`verify-decisions: ${problem}\n`);
  if (error instanceof UsageError)
    process.stderr.write(`Example: ${EXAMPLE}\n--help describes all options and settings\n`);
  process.exitCode = NOT_CHECKED;
});
