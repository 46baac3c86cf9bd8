import type { Payment } from './decision-events';
import type { OwnReconciler } from './own-reconciler';
import { until } from './patience';

export async function untilKnown({ client }: OwnReconciler, payments: readonly Payment[]): Promise<void> {
  const ids = payments.map(({ intentId }) => intentId);
  const sql = 'select 1 from intents where id = any($1)';
  await until(async () => (await client.query(sql, [ids])).rowCount === ids.length, 'the intents are known');
}
