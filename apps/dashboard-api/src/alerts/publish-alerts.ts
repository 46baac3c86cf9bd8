import { draft, type Messaging } from '@pay/messaging';
import type { Transaction } from '@pay/persistence';
import type { AlertRow } from './alert-repository';

export async function publishAlerts(
  messaging: Pick<Messaging, 'publish'>,
  tx: Transaction,
  { opened, closed }: { readonly opened: readonly AlertRow[]; readonly closed: readonly AlertRow[] },
): Promise<void> {
  const events = [
    ...closed.map((alert) => eventOf('alert.closed', alert, alert.closedAt)),
    ...opened.map((alert) => eventOf('alert.opened', alert, alert.openedAt)),
  ];
  if (events.length > 0) await messaging.publish(tx, events);
}

function eventOf(type: 'alert.opened' | 'alert.closed', alert: AlertRow, at: Date | null) {
  const { id, merchantId, environment, kind, subject, name, count, since, openedAt, closedAt } = alert;
  return draft(type, {
    merchantId,
    environment,
    aggregateId: id,
    sequence: type === 'alert.opened' ? 1 : 2,
    occurredAt: at ?? openedAt,
    data: {
      alertId: id,
      kind,
      subject,
      name,
      count,
      since: since.toISOString(),
      openedAt: openedAt.toISOString(),
      closedAt: closedAt?.toISOString() ?? null,
    },
  });
}
