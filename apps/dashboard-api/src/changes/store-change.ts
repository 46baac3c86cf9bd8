import type { Messaging } from '@pay/messaging';
import type { Transaction } from '@pay/persistence';
import { insertAuditEntry } from './audit-log-repository';
import { tables } from '../db/tables';
import { directoryEvent } from './directory-event';
import { forwarderHookView, type HookRecord } from '../domain/forwarder-hook';
import type { RecordKind, Records } from '../domain/records';
import type { ServiceDeps } from '../service-deps';

export interface ChangeDeps extends Pick<ServiceDeps, 'now' | 'newId'> {
  readonly messaging: Pick<Messaging, 'publish'>;
  /** The actor of the change in the audit log: `cli:<name>`, `seed`, `user:<id>`. */
  readonly actor: string;
}

export interface Change<Kind extends RecordKind> {
  readonly kind: Kind;
  /** In the past tense: `api_key.revoked`. */
  readonly action: string;
  /** The locked row; undefined for something new. */
  readonly before?: Records[Kind];
  readonly after: Records[Kind];
  /** The reason, if the action requires one. */
  readonly reason?: string | undefined;
}

/**
 * The one way in which anything is written here: row, audit entry and event, all in the caller's transaction. No
 * change, no trace.
 */
export async function storeChange<Kind extends RecordKind>(
  deps: ChangeDeps,
  tx: Transaction,
  { kind, action, before, after, reason }: Change<Kind>,
): Promise<void> {
  if (before === after) return;
  const at = deps.now();
  const table = tables[kind];
  await (before === undefined ? table.insert(tx, after) : table.replace(tx, after));
  await insertAuditEntry(tx, {
    id: deps.newId(),
    at,
    actor: deps.actor,
    action,
    subjectKind: kind,
    subjectId: after.id,
    merchantId: 'merchantId' in after ? after.merchantId : after.id,
    environment: 'environment' in after ? after.environment : null,
    before: before === undefined ? null : withoutHashes(before),
    after: withoutHashes(after),
    reason: reason ?? null,
  });
  const event = directoryEvent(kind, after, at);
  if (event) await deps.messaging.publish(tx, [event]);
}

function withoutHashes(record: Records[RecordKind]): object {
  return Object.fromEntries(
    Object.entries(record).flatMap(([field, value]) => {
      if (field === 'keyHash' || field === 'passwordHash') return [];
      return [[field, field === 'hooks' ? (value as readonly HookRecord[]).map(forwarderHookView) : value]];
    }),
  );
}
