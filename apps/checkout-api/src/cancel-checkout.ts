import type { IntentCopy } from './domain/intent-copy';
import { redirectAfterCancel } from './domain/redirect';

export interface CancelCheckoutDeps {
  readonly findCopy: (id: string) => Promise<IntentCopy>;
}

/** Where a customer goes who gives up. The intent stays as it is: money that is on its way still pays it. */
export async function cancelCheckout(
  { findCopy }: CancelCheckoutDeps,
  id: string,
): Promise<{ redirectUrl: string | null }> {
  const { intent } = await findCopy(id);
  return { redirectUrl: redirectAfterCancel(intent) };
}
