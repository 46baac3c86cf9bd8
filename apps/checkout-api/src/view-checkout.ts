import type { CheckoutView, IntentStatus } from '@pay/contracts';
import type { Directory } from '@pay/directory';
import { checkoutView } from './domain/checkout-view';
import { isOverdue, type IntentCopy } from './domain/intent-copy';
import type { IntentWatch } from './intent-watch';

/** How long a view waits for the copy of an expiry that the reconciler has just decided. */
const SETTLED_WITHIN_MS = 1_000;

export interface ViewCheckoutDeps {
  readonly findCopy: (id: string) => Promise<IntentCopy>;
  /** Asks the reconciler to settle an intent whose time is over; undefined when it does not answer in time. */
  readonly expire: (copy: IntentCopy) => Promise<IntentStatus | undefined>;
  readonly watch: Pick<IntentWatch, 'until'>;
  readonly directory: Pick<Directory, 'merchant' | 'receiverAccounts'>;
  readonly now: () => Date;
}

/** What a customer sees. An intent whose time is over stays PENDING here until the reconciler has settled it. */
export async function viewCheckout(deps: ViewCheckoutDeps, id: string): Promise<CheckoutView> {
  const found = await deps.findCopy(id);
  const copy = isOverdue(found, deps.now()) ? await settled(deps, found) : found;
  const [merchant, accounts] = await Promise.all([
    deps.directory.merchant(copy.merchantId),
    deps.directory.receiverAccounts(copy),
  ]);
  return checkoutView(copy, { merchant, accounts, now: deps.now() });
}

async function settled({ expire, watch }: ViewCheckoutDeps, copy: IntentCopy): Promise<IntentCopy> {
  const status = await expire(copy);
  if (status === undefined || status === 'PENDING') return copy;
  const newer = await watch.until(copy.intent.id, ({ intent }) => intent.status !== 'PENDING', SETTLED_WITHIN_MS);
  return newer ?? copy;
}
