import {
  directoryKindSchema,
  eventsOf,
  SERVICES,
  type DirectoryKind,
  type EventOf,
  type ServiceName,
} from '@pay/contracts';
import { storeLastSeen } from '@pay/directory';
import { PermanentError } from '@pay/messaging';
import type { Transaction } from '@pay/persistence';
import { every, type Worker } from '@pay/runtime';
import { deleteOldRecords, type DeleteOldRecordsDeps } from './retention/delete-old-records';
import { recordKeyUse } from './api-keys/record-key-use';
import { resendDirectory, type ResendDirectoryInput } from './directory/resend-directory';
import { sendMails, type SendMailsDeps } from './mails/send-mails';
import { sweepSignIn } from './sign-in/sweep-sign-in';
import type { ServiceDeps } from './service-deps';

const MAILS_INTERVAL_MS = 1_000;
const SWEEP_INTERVAL_MS = 10 * 60_000;

export interface WorkerDeps extends DeleteOldRecordsDeps, Pick<ServiceDeps, 'db' | 'messaging' | 'log' | 'now'> {
  readonly mail: Pick<SendMailsDeps, 'box' | 'transport' | 'sent' | 'refused'>;
}

export function createWorkers(deps: WorkerDeps): Worker[] {
  const { messaging } = deps;
  return [
    messaging.relay(),
    messaging.consumer({
      queue: 'dashboard-api.events',
      async handle(tx, events) {
        await recordKeyUse(tx, events);
        storeLastSeen(tx, events, deps.now());
      },
    }),
    messaging.consumer({ queue: 'dashboard-api.control', handle: (tx, events) => handleControl(deps, tx, events) }),
    every('send-mails', MAILS_INTERVAL_MS, () => sendMails({ ...deps, ...deps.mail }), { log: deps.log }),
    every('delete-old-records', SWEEP_INTERVAL_MS, (signal) => deleteOldRecords(deps, signal), { log: deps.log }),
    every('sweep-sign-in', SWEEP_INTERVAL_MS, (signal) => sweepSignIn(deps, signal), { log: deps.log }),
  ];
}

async function handleControl(deps: WorkerDeps, tx: Transaction, events: readonly EventOf[]): Promise<void> {
  for (const request of requestsByService(events)) {
    const { facts } = await resendDirectory(deps, tx, request);
    tx.onCommit(() => deps.log.info({ to: request.service, kinds: request.kinds, facts }, 'directory.resent'));
  }
  const replays = eventsOf(events, 'messaging.replay_requested');
  if (replays.length > 0) await deps.messaging.handleControl(tx, replays);
}

/** Replicas that start together send the same request, so all waiting requests of a service get one response. */
function requestsByService(events: readonly EventOf[]): ResendDirectoryInput[] {
  const requests = new Map<ServiceName, ResendDirectoryInput>();
  for (const event of eventsOf(events, 'directory.resend_requested')) {
    const service = SERVICES.find((name) => name === event.data.service);
    if (service === undefined || service === 'dashboard-api') {
      throw new PermanentError('directory.resend_requested names a service without a directory copy');
    }
    const asked = new Set<DirectoryKind>([...(requests.get(service)?.kinds ?? []), ...event.data.kinds]);
    const kinds = directoryKindSchema.options.filter((kind) => asked.has(kind));
    requests.set(service, { service, kinds, requestId: event.id });
  }
  return [...requests.values()];
}
