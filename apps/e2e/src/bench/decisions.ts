import type { RunningSystem } from '../system';
import { newPayment, newShop, type Payment, type QueuedEvent, type Shop } from './decision-events';
import { measureDecisionGrowth, type DecisionGrowthFigures } from './decision-growth';
import { measureExpiry, type ExpiryFigures } from './expiry';
import { openReconciler, type CpuMs, type OwnReconciler, type OwnReconcilerOptions } from './own-reconciler';
import { untilKnown } from './until-known';
import { until } from './patience';

export interface DecisionOptions extends OwnReconcilerOptions {
  /** Payments in the queue while decisions per second are measured. */
  readonly payments: number;
  /** Numbers of open intents. There are as many stored texts. */
  readonly sizes: readonly number[];
  readonly rounds: number;
  readonly expiring: number;
  readonly dueWithinSeconds: number;
}

export interface RateFigures {
  readonly merchants: number;
  /**
   * True: intents are in the queue together with their texts. False: intents are stored before the first text is
   * decided.
   */
  readonly intentsQueued: boolean;
  readonly decisions: number;
  /** Counted from the first to the last decision that another service receives. */
  readonly perSecond: number;
  /**
   * Time from the last decision until all decisions are in the chain of their merchant and their events are marked as
   * published.
   */
  readonly recordedAfterMs: number;
  readonly cpuMsPerDecision: CpuMs;
}

export interface DecisionFigures {
  /** For many merchants with stored intents, with queued intents, and for a single merchant. */
  readonly rates: readonly RateFigures[];
  readonly growth: readonly DecisionGrowthFigures[];
  readonly expiry: ExpiryFigures;
}

const MERCHANTS = 50;
const WARM_UP = 2_000;
/** Distance of an SMS from its intent in the queue. Larger than a batch. */
const PAYMENTS_BETWEEN = 300;

/** Runs the reconciler alone: intents and texts are in its queue, and its decisions are consumed. */
export async function measureDecisions(system: RunningSystem, options: DecisionOptions): Promise<DecisionFigures> {
  const rates = await withReconciler(system, options, async (reconciler) => {
    const shops = Array.from({ length: MERCHANTS }, newShop);
    await reconciler.introduce(shops);
    await rateOf(reconciler, shops, { payments: WARM_UP, intentsQueued: true });
    const { payments } = options;
    const known = await rateOf(reconciler, shops, { payments, intentsQueued: false });
    const queued = await rateOf(reconciler, shops, { payments, intentsQueued: true });
    const one = await rateOf(reconciler, shops.slice(0, 1), { payments, intentsQueued: false });
    return [known, queued, one];
  });
  const growth = await measureDecisionGrowth(() => openReconciler(system, options), options);
  const expiry = await withReconciler(system, options, (reconciler) => measureExpiry(reconciler, options));
  return { rates, growth, expiry };
}

export async function withReconciler<T>(
  system: RunningSystem,
  options: OwnReconcilerOptions,
  use: (reconciler: OwnReconciler) => Promise<T>,
): Promise<T> {
  const reconciler = await openReconciler(system, options);
  try {
    return await use(reconciler);
  } finally {
    await reconciler.close();
  }
}

interface Feed {
  readonly payments: number;
  readonly intentsQueued: boolean;
}

export async function rateOf(
  reconciler: OwnReconciler,
  shops: readonly Shop[],
  { payments, intentsQueued }: Feed,
): Promise<RateFigures> {
  const all = Array.from({ length: payments }, (_, number) => newPayment(shops[number % shops.length] ?? newShop()));
  if (!intentsQueued) {
    await reconciler.deliver(all.map(({ created }) => created));
    await untilKnown(reconciler, all);
  }
  reconciler.published.length = 0;
  const before = await recorded(reconciler);
  const cpuBefore = await reconciler.cpuMs();
  await reconciler.whilePaused(() => reconciler.deliver(intentsQueued ? inTurns(all) : all.map(({ sms }) => sms)));
  const decided = () => reconciler.published.filter(({ type }) => type === 'match.confirmed');
  await until(
    () => reconciler.published.length >= payments && decided().length >= payments,
    'every payment is decided',
  );
  const times = decided().map(({ at }) => at);
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  await until(async () => (await recorded(reconciler)) >= before + payments, 'every decision is recorded');
  const recordedAfterMs = performance.now() - last;
  const cpu = await reconciler.cpuMs();
  return {
    merchants: shops.length,
    intentsQueued,
    decisions: payments,
    perSecond: (payments * 1_000) / (last - first),
    recordedAfterMs,
    cpuMsPerDecision: {
      reconciler: (cpu.reconciler - cpuBefore.reconciler) / payments,
      database: (cpu.database - cpuBefore.database) / payments,
    },
  };
}

/** The intent of every text is already stored. */
function inTurns(payments: readonly Payment[]): QueuedEvent[] {
  const turns = Array.from({ length: payments.length + PAYMENTS_BETWEEN }, (_, number) => [
    payments[number]?.created,
    payments[number - PAYMENTS_BETWEEN]?.sms,
  ]);
  return turns.flat().filter((event) => event !== undefined);
}

/** Number of decisions in the chain with a valid match and a published event. */
async function recorded({ client }: OwnReconciler): Promise<number> {
  const { rows } = await client.query<{ count: string }>(
    `select count(*) from decisions d
     join matches m on m.id = d.match_id and m.status = 'MATCHED'
     join intents i on i.id = d.payment_intent_id and i.status = 'PAID'
     join outbox o on o.aggregate_id = d.id::text
     where d.position is not null and not exists (select from outbox_pending p where p.id = o.id)`,
  );
  return Number(rows[0]?.count);
}
