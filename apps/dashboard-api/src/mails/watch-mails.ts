import type { Queryable } from '@pay/persistence';
import { ageInSeconds, type DatabaseGauges } from '@pay/runtime';
import { unsentMails } from './mail-repository';

export function watchMails(gauge: DatabaseGauges, db: Queryable, now: () => Date): void {
  gauge('dashboard_mails_unsent', async () => (await unsentMails(db))?.unsent ?? 0);
  gauge('dashboard_mails_oldest_seconds', async () => ageInSeconds((await unsentMails(db))?.oldest, now()));
}
