import { directoryKindSchema, PUBLISHERS, type DirectoryKind, type ServiceName } from '@pay/contracts';
import { draft, queuesReceiving } from '@pay/messaging';
import type { Transaction } from '@pay/persistence';
import { tables } from '../db/tables';
import { directoryEvent } from '../changes/directory-event';
import type { ChangeDeps } from '../changes/store-change';

const PAGE = 500;

/** The broker refuses events of kinds that the control queue does not consume. */
function kindsOf(service: ServiceName): DirectoryKind[] {
  return directoryKindSchema.options.filter((kind) =>
    queuesReceiving(`${kind}.changed`).some((queue) => queue === `${service}.control`),
  );
}

export interface ResendDirectoryInput {
  readonly service: ServiceName;
  readonly kinds: readonly DirectoryKind[];
  readonly requestId: string;
}

/**
 * Sends one service the full state of all facts of these kinds, including deletions, to its control queue, and then an
 * event that marks the end. A change that commits meanwhile has its own event with a higher version.
 */
export async function resendDirectory(
  deps: Pick<ChangeDeps, 'messaging' | 'now'>,
  tx: Transaction,
  { service, kinds: requested, requestId }: ResendDirectoryInput,
): Promise<{ facts: number }> {
  const queue = `${service}.control`;
  const kinds = kindsOf(service).filter((kind) => requested.includes(kind));
  const counts: { kind: DirectoryKind; facts: number }[] = [];
  for (const kind of kinds) counts.push({ kind, facts: await resendKind(deps, tx, kind, queue) });
  const completed = draft('directory.resend_completed', {
    environment: null,
    merchantId: null,
    aggregateId: service,
    sequence: 0,
    data: { service, kinds, requestId, counts },
    occurredAt: deps.now(),
  });
  await deps.messaging.publish(tx, [completed], { queue });
  return { facts: counts.reduce((sum, { facts }) => sum + facts, 0) };
}

/** After a failover, copies may contain facts that this database has lost. */
export async function resendDirectoryToAll(
  deps: Pick<ChangeDeps, 'messaging' | 'now' | 'newId'>,
  tx: Transaction,
): Promise<{ facts: number }> {
  let facts = 0;
  for (const service of PUBLISHERS['directory.resend_requested']) {
    const request = { service, kinds: directoryKindSchema.options, requestId: deps.newId() };
    facts += (await resendDirectory(deps, tx, request)).facts;
  }
  return { facts };
}

async function resendKind<Kind extends DirectoryKind>(
  { messaging, now }: Pick<ChangeDeps, 'messaging' | 'now'>,
  tx: Transaction,
  kind: Kind,
  queue: string,
): Promise<number> {
  let facts = 0;
  let after: string | undefined;
  for (;;) {
    const records = await tables[kind].page(tx, after, PAGE);
    const events = records.map((record) => directoryEvent(kind, record, now())).filter((event) => event !== undefined);
    if (events.length > 0) await messaging.publish(tx, events, { queue });
    facts += records.length;
    after = records.at(-1)?.id;
    if (records.length < PAGE) return facts;
  }
}
