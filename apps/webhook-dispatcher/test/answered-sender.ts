import type { Database } from '@pay/persistence';
import type { Logger } from '@pay/runtime';
import { uuidv7 } from 'uuidv7';
import type { WebhookResponse } from '../src/adapters/webhook-client';
import type { LeasedDelivery } from '../src/delivery/delivery-repository';
import type { PendingSend } from '../src/delivery/pending-send';
import { attemptRecorder } from '../src/delivery/record-attempts';
import { sendDelivery } from '../src/delivery/send-delivery';

export type Answer = Omit<WebhookResponse, 'totalMs'>;
export type SendAnswered = (delivery: LeasedDelivery, answer: Answer) => PendingSend<LeasedDelivery>['recorded'];

/** Without a shop: every request gets the given answer, and its result is stored as in the service. */
export function answeredSender(given: {
  readonly db: Database;
  readonly workerId: string;
  readonly log: Logger;
}): SendAnswered {
  return (delivery, answer) =>
    sendDelivery(
      {
        client: { post: async () => ({ ...answer, totalMs: 1 }) },
        secrets: { open: () => 'x' },
        // A new recorder stores its first result immediately.
        record: attemptRecorder({ ...given, timeScale: 1, newId: uuidv7 }),
        metrics: { attempted: () => undefined, firstAttempt: () => undefined },
        log: given.log,
        timeScale: 1,
        random: () => 0.5,
        now: () => new Date(),
        clock: () => 0,
      },
      delivery,
    ).recorded;
}
