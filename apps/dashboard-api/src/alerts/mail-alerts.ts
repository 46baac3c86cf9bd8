import { tenantKey } from '@pay/contracts';
import { alertMail } from '../domain/alert-mail';
import type { MailQueue } from '../mails/mail-queue';
import { lockAlertsToMail, recipientsOf, setMailed, type AlertToMail } from './alert-repository';
import type { ServiceDeps } from '../service-deps';

export interface MailAlertsDeps extends Pick<ServiceDeps, 'db' | 'now'> {
  readonly mails: MailQueue;
  readonly dashboardUrl: string | undefined;
}

/** One mail per tenant and recipient, in the transaction that marks the alerts as mailed. */
export async function mailAlerts({ db, mails, dashboardUrl, now }: MailAlertsDeps): Promise<void> {
  await db.transaction(async (tx) => {
    const at = now();
    const due = await lockAlertsToMail(tx, at);
    for (const alerts of byTenant(due)) {
      const [{ merchantId, merchantName, environment }] = alerts;
      const mail = alertMail({ merchantName, environment, alerts, dashboardUrl });
      for (const { email } of await recipientsOf(tx, merchantId)) await mails.add(tx, { to: email, ...mail });
    }
    if (due.length > 0)
      await setMailed(
        tx,
        due.map(({ id }) => id),
        at,
      );
  });
}

function byTenant(alerts: readonly AlertToMail[]): [AlertToMail, ...AlertToMail[]][] {
  const tenants = new Map<string, [AlertToMail, ...AlertToMail[]]>();
  for (const alert of alerts) {
    const key = tenantKey(alert);
    const known = tenants.get(key);
    if (known) known.push(alert);
    else tenants.set(key, [alert]);
  }
  return [...tenants.values()];
}
