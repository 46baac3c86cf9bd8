import { hash } from 'node:crypto';
import type { CheckoutView } from '@pay/contracts';
import type { Directory } from '@pay/directory';
import { checkoutView } from '../domain/checkout-view';
import type { Checkout } from '../domain/intent-copy';
import type { FindReceiversOnline } from '../devices/find-receivers-online';

export interface DescribeCheckoutDeps {
  readonly directory: Pick<Directory, 'merchant' | 'receiverAccounts'>;
  readonly findReceiversOnline: FindReceiversOnline;
  readonly now: () => Date;
}

export interface DescribedCheckout {
  readonly view: CheckoutView;
  /** Sequence of the intent. */
  readonly sequence: number;
  readonly epoch?: number | null | undefined;
  /** Equal for views that differ only in their time. Begins with the sequence. */
  readonly version: string;
}

export async function describeCheckout(
  deps: DescribeCheckoutDeps,
  { copy, claimOutcomes }: Checkout,
): Promise<DescribedCheckout> {
  const { directory, findReceiversOnline, now } = deps;
  const [merchant, accounts, online] = await Promise.all([
    directory.merchant(copy.merchantId),
    directory.receiverAccounts(copy),
    findReceiversOnline(copy),
  ]);
  const view = checkoutView(copy, { merchant, accounts, claimOutcomes, online, now: now() });
  const { sequence, epoch } = copy;
  return { view, sequence, epoch, version: `${sequence}-${digestOf(view)}` };
}

const DIGEST_LENGTH = 16;

function digestOf(view: CheckoutView): string {
  return hash('sha256', JSON.stringify({ ...view, serverTime: '' }), 'base64url').slice(0, DIGEST_LENGTH);
}
