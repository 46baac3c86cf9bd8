import { runCommand } from '@pay/runtime';
import { runVerify } from './cli/run-verify';
import { verifyCommand, type VerifyOptions } from './cli/verify-options';

/** Exit codes: a difference was found; the check could not run. */
const BROKEN = 1;
const NOT_CHECKED = 2;

async function run(options: VerifyOptions): Promise<object> {
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
  return { chains };
}

void runCommand(verifyCommand, run, { failed: NOT_CHECKED });
