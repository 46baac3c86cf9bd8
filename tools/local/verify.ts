import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { setTimeout as delay } from 'node:timers/promises';
import { SERVICES, type ServiceName } from '@pay/contracts';
import { resultOf, type ProgramResult } from '@pay/local-servers';
import { inspectBindings, inspectQueues, messagingMigrations, readProbeState, type BindingState } from '@pay/messaging';
import { withDatabase } from '@pay/persistence';
import { ROOT } from './arguments';
import { endWith } from './end-with';
import { readEnvironments, type ServiceEnvironments } from './environment-file';
import { gatewayPath, type GatewayFile } from './gateway-file';
import { messageOf } from './message-of';
import { bundle, serviceNode } from './run-bundle';

/**
 * `npm run verify`: one report about the running system after a failure. Exit code 0: no problems; 1: a problem was
 * found; 2: a check could not run.
 */
interface Check {
  readonly name: string;
  readonly run: () => Promise<CheckResult>;
}

interface CheckResult {
  readonly problems: readonly string[];
  readonly summary: string;
  readonly details?: readonly string[];
}

/** By then a type that was just published for the first time has its first probes. */
const LOOK_AGAIN_MS = 20_000;

async function verify(): Promise<number> {
  const { values } = parseArgs({ options: { 'run-dir': { type: 'string' } } });
  const runDir = resolve(values['run-dir'] ?? join(ROOT, '.run'));
  if (!existsSync(gatewayPath(runDir))) {
    process.stderr.write(
      'No running system found. Start one with npm start, or name its folder: npm run verify -- --run-dir .run\n',
    );
    return 2;
  }
  const gateway = JSON.parse(readFileSync(gatewayPath(runDir), 'utf8')) as GatewayFile;
  let exitCode = 0;
  for (const { name, run } of checksOf(gateway, readEnvironments(runDir))) {
    try {
      const { problems, summary, details = [] } = await run();
      print(problems.length === 0 ? 'ok' : 'WRONG', name, summary);
      for (const line of details) process.stdout.write(`             ${line}\n`);
      for (const problem of problems) process.stdout.write(`             ${problem}\n`);
      if (problems.length > 0) exitCode = Math.max(exitCode, 1);
    } catch (error) {
      print('NOT CHECKED', name, messageOf(error));
      exitCode = 2;
    }
  }
  return exitCode;
}

function print(state: string, name: string, text: string): void {
  process.stdout.write(`${state.padEnd(11)}  ${name.padEnd(22)}  ${text}\n`);
}

function checksOf(gateway: GatewayFile, environments: ServiceEnvironments): Check[] {
  const run = (service: ServiceName, command: string) =>
    resultOf(serviceNode(), [bundle(service, 'cli'), command], { env: environments[service] });
  return [
    {
      name: 'money and decisions',
      async run() {
        const result = await run('reconciler', 'verify-decisions');
        const { chains } = answerOf<{ chains: readonly { decisions?: number; broken: object | null }[] }>(result);
        const problems = result.code === 0 ? [] : result.stderr.trim().split('\n');
        return { problems, summary: `${chains.length} decision chains with their payments` };
      },
    },
    {
      name: 'payments',
      async run() {
        const result = await run('dashboard-api', 'audit-payments');
        const { mismatches } = answerOf<{ mismatches: readonly { kind: string; paymentIntentId: string }[] }>(result);
        return {
          problems: mismatches.map(({ kind, paymentIntentId }) => `${kind}: payment intent ${paymentIntentId}`),
          summary: 'decisions, intents, event feed and deliveries of the last 24 hours',
        };
      },
    },
    {
      name: 'queues',
      async run() {
        const states = await inspectQueues({ url: gateway.amqpUrl, namespace: gateway.amqpNamespace });
        const problems = states.flatMap(({ queue, exists, consumers, parked }) => [
          ...(exists ? [] : [`${queue} or its parked queue is missing`]),
          ...(exists && consumers === 0 ? [`${queue} has no consumer`] : []),
          ...(parked > 0 ? [`${queue} has ${parked} parked messages: node tools/parked.mjs list ${queue}`] : []),
        ]);
        const waiting = states.reduce((sum, { messages }) => sum + messages, 0);
        return { problems, summary: `${states.length} work queues, ${waiting} messages waiting` };
      },
    },
    {
      name: 'bindings',
      async run() {
        let bindings = await readBindings(environments);
        if (bindings.some(({ problem }) => problem !== undefined)) {
          await delay(LOOK_AGAIN_MS);
          bindings = await readBindings(environments);
        }
        return {
          problems: bindings.flatMap(({ queue, publisher, type, problem }) =>
            problem === undefined ? [] : [`${queue}, ${type} from ${publisher}: ${problem}`],
          ),
          summary: `${bindings.length} bindings, age of the last probe of each`,
          details: [...new Set(bindings.map(({ queue }) => queue))].map(
            (queue) =>
              `${queue}: ${bindings
                .filter((binding) => binding.queue === queue)
                .map(ageOf)
                .join(', ')}`,
          ),
        };
      },
    },
  ];
}

function ageOf({ type, publisher, age }: BindingState): string {
  return `${type} from ${publisher} ${age === undefined ? 'none' : `${Math.round(age)} s`}`;
}

async function readBindings(environments: ServiceEnvironments): Promise<BindingState[]> {
  const states = await Promise.all(
    SERVICES.map(async (service) => {
      const url = environments[service]['DATABASE_URL'];
      if (url === undefined) throw new Error(`${service} has no DATABASE_URL`);
      const access = { url, poolSize: 1, applicationName: 'verify', migrations: messagingMigrations };
      return withDatabase(access, async (db) => [service, await readProbeState(db)] as const);
    }),
  );
  return inspectBindings(Object.fromEntries(states) as Parameters<typeof inspectBindings>[0]);
}

/** Throws if the command could not run the check. */
function answerOf<Answer>({ code, stdout, stderr }: ProgramResult): Answer {
  if (code !== 0 && code !== 1) throw new Error(stderr.trim());
  if (stdout.trim() === '') throw new Error(stderr.trim());
  return JSON.parse(stdout) as Answer;
}

void endWith(verify, { failed: 2 });
