import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { eventually } from '@pay/testing';
import { leftOver } from '../left-over';
import type { OwnSystem } from './own-system';
import { secondsBetween, type DrillOptions, type Report } from './report';
import { TimedLoad } from './timed-load';

const PATIENCE_MS = 180_000;

/** Kills RabbitMQ under load and deletes everything that it stores: messages, queues, bindings, accounts. */
export async function playBrokerLoss(system: OwnSystem, { report, payments }: DrillOptions): Promise<void> {
  const load = await TimedLoad.begin(system.description, { repeats: false });
  try {
    await load.played(payments);
    const lostAt = Date.now();
    await loseBroker(system);
    const delivered = load.receiver.received.length;
    report.say(`RabbitMQ is killed and its data deleted; ${load.accepted.length} payments are accepted`);
    await load.played(payments);
    report.say(`Without RabbitMQ ${payments} more payments are accepted`);

    await system.broker.restart();
    await system.prepareBroker();
    const backAt = Date.now();
    report.say('An empty RabbitMQ runs, with the accounts of the services');
    await eventually(() => load.receiver.received.length > delivered, 'a webhook arrives', { timeoutMs: PATIENCE_MS });
    report.say(
      `First webhook ${secondsBetween(backAt, Date.now())} later, ${secondsBetween(lostAt, Date.now())} after the loss`,
    );
    await load.played(payments);
    await load.end();
    await nothingIsLost(system, load, report);
  } finally {
    await load.close();
  }
}

async function loseBroker({ broker }: OwnSystem): Promise<void> {
  await broker.kill();
  await rm(join(dirname(broker.logFile), 'mnesia'), { recursive: true, force: true });
}

async function nothingIsLost(system: OwnSystem, load: TimedLoad, report: Report): Promise<void> {
  const { accepted } = load;
  await Promise.all(
    accepted.map(({ intent }) =>
      load.receiver.next('payment.paid', intent?.id ?? '', PATIENCE_MS).catch(() => undefined),
    ),
  );
  report.say('The webhooks of all payments have arrived');
  report.expect('Failed requests', load.failedRequests, 0);
  const feed = await load.feed();
  const statuses = await Promise.all(accepted.map((payment) => load.statusOf(payment)));
  report.expect('Payments that are PAID', statuses.filter((status) => status === 'PAID').length, accepted.length);
  const inFeed = accepted.filter(({ intent }) => feed.get(intent?.id ?? '') === 1).length;
  report.expect('Payments that the event feed has once', inFeed, accepted.length);
  const deliveredOnce = accepted.filter((payment) => load.webhooksOf(payment) === 1).length;
  report.expect('Payments with one webhook', deliveredOnce, accepted.length);
  await eventually(async () => (await leftOver(system.description)).length === 0, 'nothing is left over', {
    timeoutMs: PATIENCE_MS,
  });
  const { isClean, report: text } = await system.verify();
  if (isClean) report.say('npm run verify: no problems');
  else report.problem(`npm run verify:\n${text}`);
}
