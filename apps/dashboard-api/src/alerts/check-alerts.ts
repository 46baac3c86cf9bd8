import {
  MAX_PROBLEM_TENANTS,
  problemsSchema,
  tenantKey,
  type AlertKind,
  type Problem,
  type Problems,
} from '@pay/contracts';
import { ServiceCallFailed } from '@pay/http';
import type { Messaging } from '@pay/messaging';
import type { Database } from '@pay/persistence';
import type { TaskResult } from '@pay/runtime';
import type { Peers } from '../clients/service-clients';
import type { MailQueue } from '../mails/mail-queue';
import { closeOtherAlerts, closeUnwatchedAlerts, namesOfDevices, openAlerts, takeRound } from './alert-repository';
import { watchedTenants, type WatchedTenant } from './alert-settings-repository';
import { mailAlerts } from './mail-alerts';
import { publishAlerts } from './publish-alerts';
import type { ServiceDeps } from '../service-deps';

export type ProblemServices = Pick<Peers, 'smsIngest' | 'reconciler' | 'webhookDispatcher'>;

export interface CheckAlertsDeps extends Pick<ServiceDeps, 'db' | 'log' | 'now' | 'newId'> {
  readonly services: ProblemServices;
  readonly mails: MailQueue;
  readonly messaging: Pick<Messaging, 'publish'>;
  readonly dashboardUrl: string | undefined;
}

export const ALERT_ROUND_MS = 60_000;
/** A little shorter than the interval, so that no round is skipped. */
const TURN_MS = ALERT_ROUND_MS - 10_000;

const KINDS_OF: Readonly<Record<keyof ProblemServices, readonly AlertKind[]>> = {
  smsIngest: ['device_silent', 'sms_missing', 'payment_doubtful'],
  reconciler: ['exceptions_waiting'],
  webhookDispatcher: ['endpoint_failing'],
};

/** Throws the first error of a service after all others were checked. */
export async function checkAlerts(deps: CheckAlertsDeps): Promise<TaskResult> {
  const { db, messaging, now } = deps;
  const startedAt = now();
  if (!(await takeRound(db, startedAt, new Date(startedAt.getTime() + TURN_MS)))) return 'left_to_another_replica';
  const watched = await watchedTenants(db);
  await db.transaction(async (tx) => {
    const closed = await closeUnwatchedAlerts(tx, watched, startedAt);
    await publishAlerts(messaging, tx, { opened: [], closed });
  });
  const failures: ServiceCallFailed[] = [];
  for (let first = 0; first < watched.length; first += MAX_PROBLEM_TENANTS) {
    const tenants = watched.slice(first, first + MAX_PROBLEM_TENANTS);
    const failed = await Promise.all(SERVICES.map((service) => checkService(deps, service, tenants)));
    failures.push(...failed.filter((failure) => failure !== undefined));
  }
  await mailAlerts(deps);
  if (failures[0] !== undefined) throw failures[0];
  return 'done';
}

const SERVICES = Object.keys(KINDS_OF) as (keyof ProblemServices)[];

/** If the service does not respond, its alerts do not change, and the error is returned. */
async function checkService(
  deps: CheckAlertsDeps,
  service: keyof ProblemServices,
  tenants: readonly WatchedTenant[],
): Promise<ServiceCallFailed | undefined> {
  const { db, services, messaging, log, now, newId } = deps;
  let answer: Problems;
  try {
    answer = await services[service].request('POST', '/internal/v1/problems', {
      schema: problemsSchema,
      body: {
        tenants: tenants.map(({ merchantId, environment }) => ({ merchantId, environment })),
        kinds: KINDS_OF[service],
      },
      idempotent: true,
    });
  } catch (error) {
    if (!(error instanceof ServiceCallFailed)) throw error;
    log.warn({ audience: error.audience, failure: error.kind }, 'alerts.not_checked');
    return error;
  }
  const problems = await withNames(db, answer.problems.filter(isWatchedIn(tenants)));
  const mayClose = answer.isComplete || answer.incomplete !== undefined;
  const kept = [...problems, ...(answer.incomplete ?? [])];
  await db.transaction(async (tx) => {
    const closed = mayClose ? await closeOtherAlerts(tx, tenants, KINDS_OF[service], kept, now()) : [];
    const opened = await openAlerts(
      tx,
      problems.map((problem) => ({ ...problem, id: newId() })),
      now(),
    );
    await publishAlerts(messaging, tx, { opened, closed });
  });
  return undefined;
}

function isWatchedIn(tenants: readonly WatchedTenant[]): (problem: Problem) => boolean {
  const watched = new Set(tenants.flatMap((tenant) => tenant.kinds.map((kind) => `${tenantKey(tenant)} ${kind}`)));
  return (problem) => watched.has(`${tenantKey(problem)} ${problem.kind}`);
}

/** Only this service knows the names of devices. */
async function withNames(db: Database, problems: readonly Problem[]): Promise<readonly Problem[]> {
  const ids = problems.filter(({ kind }) => kind === 'device_silent').map(({ subject }) => subject);
  if (ids.length === 0) return problems;
  const names = new Map((await namesOfDevices(db, ids)).map(({ id, name }) => [id, name]));
  return problems.map((problem) => ({ ...problem, name: names.get(problem.subject) ?? problem.name }));
}
