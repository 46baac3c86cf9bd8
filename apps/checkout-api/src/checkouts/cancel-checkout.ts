import type { Checkout } from '../domain/intent-copy';
import { redirectAfterCancel } from '../domain/redirect';

export interface CancelCheckoutDeps {
  readonly findCheckout: (id: string) => Promise<Checkout>;
}

/** Where a customer goes who gives up. The intent stays as it is: money that is on its way still pays it. */
export async function cancelCheckout(
  { findCheckout }: CancelCheckoutDeps,
  id: string,
): Promise<{ redirectUrl: string | null }> {
  const { copy } = await findCheckout(id);
  return { redirectUrl: redirectAfterCancel(copy.intent) };
}
