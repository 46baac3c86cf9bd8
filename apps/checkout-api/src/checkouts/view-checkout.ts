import type { IntentStatus } from '@pay/contracts';
import type { ActivityRecorder } from '../activity/record-activity';
import { describeCheckout, type DescribeCheckoutDeps, type DescribedCheckout } from './describe-checkout';
import { isOverdue, type Checkout, type IntentCopy } from '../domain/intent-copy';
import type { IntentWatch } from '../intent-copies/intent-watch';

/** Maximum wait of a view for the copy of an expiry. */
const SETTLED_WITHIN_MS = 1_000;

export interface ViewCheckoutDeps extends DescribeCheckoutDeps {
  readonly findCheckout: (id: string) => Promise<Checkout>;
  /** Undefined if the reconciler does not respond in time. */
  readonly expire: (copy: IntentCopy) => Promise<IntentStatus | undefined>;
  readonly watch: Pick<IntentWatch, 'until'>;
  readonly record: ActivityRecorder['record'];
}

/** An overdue intent stays PENDING until the reconciler has settled it. */
export async function viewCheckout(deps: ViewCheckoutDeps, id: string): Promise<DescribedCheckout> {
  const found = await deps.findCheckout(id);
  deps.record(found.copy.intent.id, 'viewed');
  return describeCheckout(deps, isOverdue(found.copy, deps.now()) ? await settled(deps, found) : found);
}

async function settled({ expire, watch }: ViewCheckoutDeps, found: Checkout): Promise<Checkout> {
  const { copy } = found;
  const status = await expire(copy);
  if (status === undefined || status === 'PENDING') return found;
  const newer = await watch.until(copy.intent.id, ({ intent }) => intent.status !== 'PENDING', SETTLED_WITHIN_MS);
  return newer ? { ...found, copy: newer } : found;
}
