import { newPayment, newShop } from './decision-events';
import { fillWithDue } from './fill-reconciler';
import type { OwnReconciler } from './own-reconciler';
import { percentiles, type Percentiles } from './scenarios';
import { steadily } from './steadily';
import { until } from './patience';

export interface ExpiryFigures {
  readonly expired: number;
  readonly dueWithinSeconds: number;
  /** From the end of the first intent until the last one has expired. */
  readonly seconds: number;
  readonly payments: number;
  /** During the expiry, from a text in its queue to the payment in the next service. */
  readonly matchMs: Percentiles;
}

export interface ExpiryOptions {
  readonly expiring: number;
  readonly dueWithinSeconds: number;
}

/** Time to fill the table and to make the first payments. */
const LEAD_SECONDS = 15;
const PAYMENTS_PER_SECOND = 5;
const PATIENCE_MS = 600_000;

/** Intents of one merchant expire at the same time, while customers of this and another merchant pay. */
export async function measureExpiry(
  reconciler: OwnReconciler,
  { expiring, dueWithinSeconds }: ExpiryOptions,
): Promise<ExpiryFigures> {
  const { client } = reconciler;
  const shops = [newShop(), newShop()] as const;
  await reconciler.introduce(shops);
  const filling = { count: expiring, afterSeconds: LEAD_SECONDS, withinSeconds: dueWithinSeconds };
  const due = await fillWithDue(client, shops[0], filling);
  reconciler.published.length = 0;

  const sent = new Map<string, number>();
  const isOver = new AbortController();
  const paying = steadily(
    PAYMENTS_PER_SECOND,
    Infinity,
    async (number) => {
      const { intentId, created, sms } = newPayment(shops[number % 2] ?? shops[0]);
      await reconciler.deliver([created]);
      sent.set(intentId, performance.now());
      await reconciler.deliver([sms]);
    },
    isOver.signal,
  );
  const expired = () => reconciler.published.filter(({ type }) => type === 'match.expired').length;
  try {
    await until(() => expired() >= expiring, 'every intent has expired', PATIENCE_MS);
  } finally {
    isOver.abort();
    await paying;
  }
  const { rows } = await client.query<{ seconds: number; expired: string }>(
    `select extract(epoch from max(decided_at) - $1::timestamptz)::float8 as seconds, count(*) as expired
     from decisions where sms_event_id is null`,
    [due],
  );
  const arrived = (): Map<string, number> => paidAt(reconciler);
  await until(() => arrived().size >= sent.size, 'every payment is decided', PATIENCE_MS);
  const at = arrived();
  return {
    expired: Number(rows[0]?.expired),
    dueWithinSeconds,
    seconds: rows[0]?.seconds ?? NaN,
    payments: sent.size,
    matchMs: percentiles([...sent].map(([intentId, since]) => (at.get(intentId) ?? NaN) - since)),
  };
}

/** Key: intent id. */
function paidAt({ published }: OwnReconciler): Map<string, number> {
  const confirmed = published.filter(({ type }) => type === 'match.confirmed');
  return new Map(
    confirmed.map(({ event, at }) => {
      const { data } = event as { readonly data: { readonly paymentIntentId: string } };
      return [data.paymentIntentId, at];
    }),
  );
}
