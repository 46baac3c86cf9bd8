import { rm } from 'node:fs/promises';
import { SERVICES } from '@pay/contracts';
import { eventually } from '@pay/testing';
import { ControlPlane } from '../control-plane';
import { leftOver } from '../left-over';
import type { OwnSystem } from './own-system';
import {
  archived,
  archiveWal,
  newestArchived,
  recovered,
  restoreBackup,
  takeBaseBackup,
  type BaseBackup,
  type WalArchive,
} from './postgres-backup';
import { secondsBetween, type DrillOptions, type Report } from './report';
import { TimedLoad, type PlayedPayment } from './timed-load';

/** An unfinished WAL file is archived after this time, so at most this much is lost with the data folder. */
const ARCHIVE_SECONDS = 5;
const PATIENCE_MS = 120_000;
/** The margin in docs/recovery.md: five minutes. */
const MARGIN_MS = 5 * 60_000;

/**
 * Restores all databases to a point in time after the loss of the Postgres data folder. RabbitMQ keeps running with
 * messages that are newer than the restored databases.
 */
export async function playRestore(system: OwnSystem, { report, payments }: DrillOptions): Promise<void> {
  const archive = await archiveWal(system.postgres.url, ARCHIVE_SECONDS);
  const load = await TimedLoad.begin(system.description, { repeats: true });
  try {
    await load.played(payments);
    const backup = await timedBackup(system, archive, report);
    await load.played(payments);
    const point = new Date();
    report.say(`The point in time is ${point.toISOString()}; ${load.accepted.length} payments are accepted`);
    await load.played(payments);
    await archived(system.postgres.url);
    await load.played(payments);

    const lostAt = await loseData(system, archive, load, report);
    await restore(system, { backup, archive, point, report });
    report.say(
      `First payment after the restore: from its creation to its webhook ${Math.round(await load.playOne())} ms`,
    );
    report.say(`RTO: ${secondsBetween(lostAt, Date.now())} from the loss to that webhook`);

    await repair(system, point, report);
    await nothingIsLost(load, point, report);
    await phonesSendAgain(load, point, report);
    await allIsWell(system, report);
  } finally {
    await load.close();
  }
}

async function timedBackup(system: OwnSystem, archive: WalArchive, report: Report): Promise<BaseBackup> {
  const started = Date.now();
  const backup = await takeBaseBackup(system.postgres.url, archive);
  const megabytes = (backup.bytes / 2 ** 20).toFixed(0);
  report.say(`Base backup under load: ${megabytes} MB in ${secondsBetween(started, Date.now())}`);
  return backup;
}

async function loseData(system: OwnSystem, archive: WalArchive, load: TimedLoad, report: Report): Promise<number> {
  const lostAt = Date.now();
  await system.postgres.kill();
  await rm(archive.data.path, { recursive: true, force: true });
  const newest = (await newestArchived(archive)).getTime();
  report.say(`Postgres is killed and its data folder deleted; ${load.accepted.length} payments were accepted`);
  report.say(`RPO of the archive: ${secondsBetween(newest, lostAt)} (the newest archived WAL file is that old)`);
  await load.end();
  return lostAt;
}

interface Restore {
  readonly backup: BaseBackup;
  readonly archive: WalArchive;
  readonly point: Date;
  readonly report: Report;
}

async function restore(system: OwnSystem, { backup, archive, point, report }: Restore): Promise<void> {
  await Promise.all([system.stopServices(), restoreBackup(backup, archive, point)]);
  report.say('The services are stopped, the backup is in place');
  report.say(`RabbitMQ: ${await system.deleteMessages()}`);
  await system.restartPostgres();
  await recovered(system.postgres.url);
  report.say('Postgres has replayed its archive up to the point in time');
  await system.startServices();
  report.say('Six services are ready');
}

/** Repairs events that were published before the point and handled or deleted after it. */
async function repair(system: OwnSystem, point: Date, report: Report): Promise<void> {
  const since = new Date(point.getTime() - MARGIN_MS).toISOString();
  await Promise.all(
    SERVICES.map((service) => system.replay(service, ['request', service, `--since=${since}`, '--wait'])),
  );
  await new ControlPlane(system.runFolder).run('resend-directory', { service: 'all' });
  report.say('Every service has published its events again');
  await quiet(system);
}

/** Resolves when nothing is in transit except parked messages. */
async function quiet(system: OwnSystem): Promise<void> {
  const underWay = async () => (await leftOver(system.description)).filter((line) => !line.includes('.parked'));
  await eventually(async () => (await underWay()).length === 0, 'nothing is on its way', { timeoutMs: PATIENCE_MS });
}

async function nothingIsLost(load: TimedLoad, point: Date, report: Report): Promise<void> {
  const isBefore = (time: number | undefined) => time !== undefined && time < point.getTime();
  const texts = load.payments.filter(({ textAcceptedAt }) => isBefore(textAcceptedAt));
  await allArePaid(load, texts);
  report.expect('Texts accepted before the point, PAID', await count(load, texts, 'PAID'), texts.length);
  await deliveredOnce(load, texts, report);

  const intents = load.payments.filter(({ intentAcceptedAt }) => isBefore(intentAcceptedAt));
  const gone = await count(load, intents, '404');
  report.expect('Intents accepted before the point that are gone', gone, 0);
}

/** docs/recovery.md: texts accepted after the point are still in the inboxes of phones, and phones send them again. */
async function phonesSendAgain(load: TimedLoad, point: Date, report: Report): Promise<void> {
  const later = load.payments.filter(({ textAcceptedAt }) => (textAcceptedAt ?? 0) >= point.getTime());
  const known: PlayedPayment[] = [];
  for (const payment of later) if ((await load.statusOf(payment)) !== '404') known.push(payment);
  const before = await count(load, known, 'PAID');
  report.say(
    `Texts accepted after the point: ${later.length}. Of their intents ${later.length - known.length} are lost, ${before} are PAID`,
  );
  for (const payment of later) await load.sendAgain(payment);
  await allArePaid(load, known);
  report.expect('PAID after the phones have sent these texts again', await count(load, known, 'PAID'), known.length);
  await deliveredOnce(load, known, report);
}

async function deliveredOnce(load: TimedLoad, payments: readonly PlayedPayment[], report: Report): Promise<void> {
  const entries = async () => {
    const feed = await load.feed();
    return payments.filter(({ intent }) => (feed.get(intent?.id ?? '') ?? 0) !== 1).length;
  };
  await eventually(async () => (await entries()) === 0, 'each payment is in the feed once', {
    timeoutMs: PATIENCE_MS,
  }).catch(() => undefined);
  report.expect('Payments that the event feed has not exactly once', await entries(), 0);
  const twice = payments.filter((payment) => load.webhooksOf(payment) > 1).length;
  report.say(`Merchants received a second webhook, with another id: ${twice} of ${payments.length}`);
}

async function allArePaid(load: TimedLoad, payments: readonly PlayedPayment[]): Promise<void> {
  await eventually(async () => (await count(load, payments, 'PAID')) === payments.length, 'all are PAID', {
    timeoutMs: PATIENCE_MS,
  }).catch(() => undefined);
}

async function count(load: TimedLoad, payments: readonly PlayedPayment[], status: string): Promise<number> {
  const statuses = await Promise.all(payments.map((payment) => load.statusOf(payment)));
  return statuses.filter((each) => each === status).length;
}

async function allIsWell(system: OwnSystem, report: Report): Promise<void> {
  await quiet(system);
  const { isClean, report: text } = await system.verify();
  if (isClean) report.say('npm run verify: no problems');
  else report.problem(`npm run verify:\n${text}`);
}
