/**
 * Simulates a failure or maintenance on a separate system, for tools/drill.mjs. Usage: drill.js NAME FOLDER PAYMENTS
 * [--short]
 */
import { endServersBelow, StopRequested, StopSignal } from '@pay/local-servers';
import { playBrokerLoss } from './broker-loss';
import { OwnSystem } from './own-system';
import { Report, type DrillOptions } from './report';
import { playRestore } from './restore';
import { playRotation } from './rotate';

const DRILLS: Readonly<Record<string, (system: OwnSystem, options: DrillOptions) => Promise<void>>> = {
  restore: playRestore,
  'broker-loss': playBrokerLoss,
  rotation: playRotation,
};

async function main(): Promise<number> {
  const [name = '', folder = '', payments = '', ...flags] = process.argv.slice(2);
  const play = DRILLS[name];
  if (play === undefined) throw new Error(`No such drill: ${name}`);
  const report = new Report(console.log);
  const signal = new StopSignal();
  signal.listen();
  void signal.requested.then((reason) => report.say(`Stopping (${reason})`));
  try {
    const system = await OwnSystem.start(folder);
    try {
      report.say('A separate system is up: Postgres, RabbitMQ, six services');
      await signal.orStop(play(system, { report, payments: Number(payments), isShort: flags.includes('--short') }));
    } finally {
      await system.stop();
    }
  } catch (error) {
    // Ctrl-C also ends programs that are started here: their errors are not the reason.
    signal.check();
    throw error;
  } finally {
    // Those of a start that has failed, and those that the interrupted drill was restarting.
    await endServersBelow(folder);
  }
  report.say(`${report.problems.length} problems`);
  return report.problems.length === 0 ? 0 : 1;
}

void main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error instanceof StopRequested ? error.message : error);
    process.exit(1);
  },
);
