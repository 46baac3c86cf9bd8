import { newPayment, newShop, type Shop } from './decision-events';
import { fillWithOpen } from './fill-reconciler';
import type { CpuMs, OwnReconciler } from './own-reconciler';
import { percentiles, type Percentiles } from './scenarios';
import { until } from './patience';
import { untilKnown } from './until-known';

export interface DecisionGrowthFigures {
  /** There are as many stored texts without a claim. */
  readonly openIntents: number;
  /** A full batch of texts that were already in the queue. */
  readonly batchMs: Percentiles;
  /** One text at a time, from its queue to the queue of the next service. */
  readonly singleMs: Percentiles;
  /** One intent at a time, whose text was already stored. */
  readonly intentLastMs: Percentiles;
  readonly cpuMsPerDecision: CpuMs;
}

export interface DecisionGrowthOptions {
  readonly sizes: readonly number[];
  readonly rounds: number;
}

interface World {
  readonly size: number;
  readonly reconciler: OwnReconciler;
  readonly shop: Shop;
  readonly batches: number[];
  readonly singles: number[];
  readonly intentsLast: number[];
  decisions: number;
}

const BATCH = 100;
const SINGLES = 10;

/**
 * One reconciler per size, measured alternately, so that other load on the machine affects all of them. All data
 * belongs to one merchant.
 */
export async function measureDecisionGrowth(
  open: () => Promise<OwnReconciler>,
  { sizes, rounds }: DecisionGrowthOptions,
): Promise<DecisionGrowthFigures[]> {
  const worlds: World[] = [];
  try {
    for (const size of sizes) {
      const world = { size, shop: newShop(), batches: [], singles: [], intentsLast: [], decisions: 0 };
      const reconciler = await open();
      worlds.push({ ...world, reconciler });
      await reconciler.introduce([world.shop]);
      await fillWithOpen(reconciler.client, world.shop, size);
    }
    for (let warm = 0; warm < Math.ceil(rounds / 4); warm += 1) for (const world of worlds) await playRound(world);
    for (const world of worlds) forget(world);
    const before = await Promise.all(worlds.map(({ reconciler }) => reconciler.cpuMs()));
    for (let round = 0; round < rounds; round += 1) for (const world of worlds) await playRound(world);
    return await Promise.all(worlds.map(async (world, index) => figuresOf(world, before[index])));
  } finally {
    for (const { reconciler } of worlds) await reconciler.close();
  }
}

function forget(world: World): void {
  for (const times of [world.batches, world.singles, world.intentsLast]) times.length = 0;
  world.decisions = 0;
}

async function figuresOf(world: World, before: CpuMs | undefined): Promise<DecisionGrowthFigures> {
  const { size, reconciler, batches, singles, intentsLast, decisions } = world;
  const cpu = await reconciler.cpuMs();
  return {
    openIntents: size,
    batchMs: percentiles(batches),
    singleMs: percentiles(singles),
    intentLastMs: percentiles(intentsLast),
    cpuMsPerDecision: {
      reconciler: (cpu.reconciler - (before?.reconciler ?? 0)) / decisions,
      database: (cpu.database - (before?.database ?? 0)) / decisions,
    },
  };
}

async function playRound(world: World): Promise<void> {
  const { reconciler, shop } = world;
  const payments = Array.from({ length: BATCH + SINGLES }, () => newPayment(shop));
  await reconciler.deliver(payments.map(({ created }) => created));
  await untilKnown(reconciler, payments);
  const [batch, singles] = [payments.slice(0, BATCH), payments.slice(BATCH)];

  reconciler.published.length = 0;
  await reconciler.whilePaused(() => reconciler.deliver(batch.map(({ sms }) => sms)));
  const resumed = performance.now();
  world.batches.push((await lastPublished(reconciler, BATCH)) - resumed);

  for (const { sms } of singles) {
    world.singles.push(await timed(reconciler, () => reconciler.deliver([sms])));
  }
  for (const { created, sms } of Array.from({ length: SINGLES }, () => newPayment(shop))) {
    await reconciler.deliver([sms]);
    const isDecided = async () =>
      (await reconciler.client.query('select 1 from inbox where message_id = $1', [sms.id])).rowCount === 1;
    await until(isDecided, 'the text is stored');
    world.intentsLast.push(await timed(reconciler, () => reconciler.deliver([created])));
  }
  world.decisions += BATCH + 3 * SINGLES;
}

async function timed(reconciler: OwnReconciler, act: () => Promise<void>): Promise<number> {
  reconciler.published.length = 0;
  const begun = performance.now();
  await act();
  return (await lastPublished(reconciler, 1)) - begun;
}

async function lastPublished({ published }: OwnReconciler, count: number): Promise<number> {
  const confirmed = () => published.filter(({ type }) => type === 'match.confirmed');
  await until(() => confirmed().length >= count, `${count} payments`);
  return confirmed().at(-1)?.at ?? NaN;
}
