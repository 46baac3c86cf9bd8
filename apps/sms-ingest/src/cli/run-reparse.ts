import type { ReparseReport, Tenant } from '@pay/contracts';
import { chosenTenants, storedDirectory } from '@pay/directory';
import { outboxOnly } from '@pay/messaging';
import { FIRST_ID, withDatabase } from '@pay/persistence';
import { createLogger, createMetrics, loadConfig } from '@pay/runtime';
import { senderIdsOf, smsIngestConfig } from '../config';
import { migrations } from '../db/migrations';
import { nextTenantWithUnparsed } from '../texts/unparsed-sms-repository';
import { openSmsSecrets } from '../intake/open-sms-secrets';
import { reparseSms, type ReparseSmsDeps } from '../texts/reparse-sms';
import { smsMetrics } from '../intake/sms-metrics';
import type { ReparseOptions } from './reparse-options';

const service = 'sms-ingest';

/** The settings that a command uses. */
const commandConfig = smsIngestConfig.pick({
  NODE_ENV: true,
  DATABASE_URL: true,
  DATABASE_TLS: true,
  SMS_ENCRYPTION_KEYS: true,
  BKASH_SENDER_IDS: true,
  NAGAD_SENDER_IDS: true,
  BKASH_NOTICE_SENDER_IDS: true,
  NAGAD_NOTICE_SENDER_IDS: true,
  ROCKET_SENDER_IDS: true,
  UPAY_SENDER_IDS: true,
});

const BEFORE_ALL: Tenant = { merchantId: FIRST_ID, environment: 'LIVE' };

/** Re-parses texts in the service's database; its events wait in the outbox for the running service. */
export async function runReparse(env: NodeJS.ProcessEnv, options: ReparseOptions): Promise<object> {
  const config = loadConfig(commandConfig, env);
  const log = createLogger({ service, level: 'silent' });
  const access = { url: config.DATABASE_URL, poolSize: 2, applicationName: `${service} command`, migrations };
  return withDatabase(access, async (db) => {
    const now = () => new Date();
    const deps: ReparseSmsDeps = {
      db,
      log,
      now,
      messaging: outboxOnly(),
      directory: storedDirectory(db),
      senderIds: senderIdsOf(config),
      secrets: await openSmsSecrets(db, config.SMS_ENCRYPTION_KEYS, now()),
      metrics: smsMetrics(createMetrics(service)),
    };
    return reparseAll(deps, options);
  });
}

async function reparseAll(deps: ReparseSmsDeps, options: ReparseOptions): Promise<object> {
  const { since, until, reason, limit, 'dry-run': dryRun } = options;
  const reports: (ReparseReport & Tenant)[] = [];
  const next = (last = BEFORE_ALL) => nextTenantWithUnparsed(deps.db, last);
  for await (const tenant of chosenTenants(options, next)) {
    reports.push({ ...tenant, ...(await reparseSms(deps, { tenant, dryRun, since, until, reason, limit })) });
  }
  return { dryRun, tenants: reports.map(({ dryRun: _, ...report }) => report) };
}
