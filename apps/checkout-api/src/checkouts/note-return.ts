import type { ActivityRecorder } from '../activity/record-activity';
import type { Checkout } from '../domain/intent-copy';
import { isOpen, redirectAfterCancel } from '../domain/redirect';

export interface NoteReturnDeps {
  readonly findCheckout: (id: string) => Promise<Checkout>;
  readonly record: ActivityRecorder['record'];
}

/** Recorded only if the shop gave a URL for the return. */
export async function noteReturn({ findCheckout, record }: NoteReturnDeps, id: string): Promise<void> {
  const { intent } = (await findCheckout(id)).copy;
  if (redirectAfterCancel(intent) !== null) record(intent.id, 'returned', isOpen(intent) ? 'CANCELLED' : intent.status);
}
