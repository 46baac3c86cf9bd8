import { withDatabase } from '@pay/persistence';
import { loadConfig } from '@pay/runtime';
import { smsIngestConfig } from '../config';
import { migrations } from '../db/migrations';
import { reportedSmsEvents } from '../texts/sms-event-view-repository';
import { holdsOneTimePassword, maskedText } from '../domain/hidden-text';
import { openSmsSecrets } from '../intake/open-sms-secrets';
import type { ReportedOptions } from './report-options';

const service = 'sms-ingest';
const commandConfig = smsIngestConfig.pick({
  NODE_ENV: true,
  DATABASE_URL: true,
  DATABASE_TLS: true,
  SMS_ENCRYPTION_KEYS: true,
});
const MONTH_MS = 30 * 86_400_000;

/** Lists merchants' format reports for developers of parsers. */
export async function listReported(
  env: NodeJS.ProcessEnv,
  { since = new Date(Date.now() - MONTH_MS), limit }: ReportedOptions,
): Promise<readonly object[]> {
  const config = loadConfig(commandConfig, env);
  const access = { url: config.DATABASE_URL, poolSize: 2, applicationName: `${service} command`, migrations };
  return withDatabase(access, async (db) => {
    const secrets = await openSmsSecrets(db, config.SMS_ENCRYPTION_KEYS, new Date());
    return (await reportedSmsEvents(db, since, limit)).map(({ sealedText, ...sms }) => {
      const text = sealedText === null ? null : secrets.open(sms.id, sealedText).message;
      return { ...sms, text: text === null || holdsOneTimePassword(text, sms.kind) ? null : maskedText(text) };
    });
  });
}
