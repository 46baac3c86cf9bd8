import type { Queryable } from '@pay/persistence';
import { ageInSeconds, onceAtATime, type DatabaseGauges } from '@pay/runtime';
import { unsentMails } from './mail-repository';

export function watchMails(gauge: DatabaseGauges, db: Queryable, now: () => Date): void {
  // Gauges of one scrape share a query.
  const mails = onceAtATime(() => unsentMails(db));
  gauge('dashboard_mails_unsent', async () => (await mails())?.unsent ?? 0);
  gauge('dashboard_mails_oldest_seconds', async () => ageInSeconds((await mails())?.oldest, now()));
}
