import type { ActivityRecorder } from '../activity/record-activity';
import type { Checkout } from '../domain/intent-copy';
import { isOpen, redirectAfterCancel } from '../domain/redirect';

export interface CancelCheckoutDeps {
  readonly findCheckout: (id: string) => Promise<Checkout>;
  readonly record: ActivityRecorder['record'];
}

/** The intent does not change, because money that was already sent still pays it. */
export async function cancelCheckout(
  { findCheckout, record }: CancelCheckoutDeps,
  id: string,
): Promise<{ redirectUrl: string | null }> {
  const { copy } = await findCheckout(id);
  if (isOpen(copy.intent)) record(copy.intent.id, 'cancelled');
  return { redirectUrl: redirectAfterCancel(copy.intent) };
}
