import {
  BusinessError,
  internalSmsReadingSchema,
  type InternalReparseOneResponse,
  type ReparseReport,
  type Tenant,
} from '@pay/contracts';
import type { Messaging } from '@pay/messaging';
import { FIRST_ID, firstIdAt, LAST_ID, retryOnConflict, type Transaction } from '@pay/persistence';
import { announceSms } from '../intake/announce-sms';
import { addFingerprints } from '../intake/sms-fingerprint-repository';
import { findSmsEvent } from './sms-event-view-repository';
import {
  findOneUnparsed,
  findUnparsed,
  lockOneUnparsed,
  lockUnparsed,
  readColumns,
  rewriteUnparsed,
  type UnparsedPage,
} from './unparsed-sms-repository';
import { NOTHING, outcomeOf, sum } from '../domain/reparse-report';
import { holdChainsOfTexts } from '../balances/balance-chain-repository';
import { doubtBalances, moveBalances } from '../balances/note-balances';
import { readingOf, reread, type Reread, type RereadSmsDeps } from './reread-sms';
import type { SmsMetrics } from '../intake/sms-metrics';
import type { ServiceDeps } from '../service-deps';

export interface ReparseSmsDeps extends RereadSmsDeps, Pick<ServiceDeps, 'db' | 'now'> {
  readonly messaging: Pick<Messaging, 'publish'>;
  readonly metrics: Pick<SmsMetrics, 'reparsed'>;
}

export interface ReparseSms {
  readonly tenant: Tenant;
  readonly dryRun: boolean;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
  readonly reason?: string | undefined;
  readonly limit: number;
  /** Where an earlier run has ended. */
  readonly after?: string | undefined;
}

/** Texts of one transaction. */
const PAGE = 100;

/**
 * Parses UNPARSED texts again with the current parser and directory and publishes changed results. Keeps the original
 * times, skips decided texts, is idempotent and safe to run concurrently; a dry run writes nothing.
 */
export async function reparseSms(deps: ReparseSmsDeps, request: ReparseSms): Promise<ReparseReport> {
  const { tenant, dryRun, since, until, reason = null, limit } = request;
  const { db } = deps;
  const from = [request.after ?? FIRST_ID, since === undefined ? FIRST_ID : firstIdAt(since)].sort().at(-1);
  const before = until === undefined ? LAST_ID : firstIdAt(until);
  let report: ReparseReport = { ...NOTHING, dryRun };
  let after = from ?? FIRST_ID;
  while (report.examined < limit) {
    const size = Math.min(PAGE, limit - report.examined);
    const page: UnparsedPage = { ...tenant, after, before, reason, limit: size };
    const part = dryRun
      ? await reread(deps, db, tenant, await findUnparsed(db, page))
      : await retryOnConflict(db, async (tx) =>
          rewrite(deps, tx, await reread(deps, tx, tenant, await lockUnparsed(tx, page))),
        );
    report = sum(report, part.report);
    after = part.last ?? after;
    report = { ...report, next: part.report.examined < size ? null : after };
    if (report.next === null) break;
  }
  if (!dryRun) note(deps, tenant, report);
  return report;
}

/** The same for one text, with everything that was read before and after. */
export async function reparseOne(
  deps: ReparseSmsDeps,
  tenant: Tenant,
  id: string,
  dryRun: boolean,
): Promise<InternalReparseOneResponse> {
  const { db } = deps;
  const stored = await findSmsEvent(db, tenant.merchantId, id);
  if (stored?.facts.environment !== tenant.environment) throw new BusinessError('NOT_FOUND');
  const { report, changes } = dryRun
    ? await reread(deps, db, tenant, await findOneUnparsed(db, tenant, id))
    : await retryOnConflict(db, async (tx) =>
        rewrite(deps, tx, await reread(deps, tx, tenant, await lockOneUnparsed(tx, tenant, id))),
      );
  if (!dryRun) note(deps, tenant, report);
  const [change] = changes;
  return {
    dryRun,
    outcome: outcomeOf(report),
    before: internalSmsReadingSchema.parse(stored.facts),
    after: change === undefined ? null : readingOf(readColumns(change.sms)),
  };
}

async function rewrite({ messaging, now }: ReparseSmsDeps, tx: Transaction, part: Reread): Promise<Reread> {
  const { changes } = part;
  if (changes.length === 0) return part;
  const texts = await doubtBalances(
    tx,
    changes.map(({ sms }) => sms),
  );
  const at = now();
  await addFingerprints(
    tx,
    changes.flatMap(({ was, fingerprints }) => fingerprints.map((fingerprint) => [fingerprint, was.id] as const)),
  );
  const again = changes.map(({ was, sms }, index) => ({
    sms: texts[index] ?? sms,
    ingestedAt: was.ingestedAt,
    at,
    sequence: was.announcedSequence + 1,
  }));
  holdChainsOfTexts(
    tx,
    texts.map(({ id }) => id),
  );
  await rewriteUnparsed(tx, again);
  moveBalances(tx, texts);
  await messaging.publish(
    tx,
    again.map(({ sms, ...as }) => announceSms(sms, as)),
  );
  return part;
}

function note(
  { metrics, log }: ReparseSmsDeps,
  tenant: Tenant,
  { changes, next: _next, dryRun: _, ...counts }: ReparseReport,
): void {
  for (const { after } of changes) metrics.reparsed.inc({ status: after.status });
  log.info({ ...tenant, ...counts }, 'sms.reparsed');
}
