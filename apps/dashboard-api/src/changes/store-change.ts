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
  /** Format: `cli:<name>`, `seed` or `user:<id>`. */
  readonly actor: string;
}

export interface Change<Kind extends RecordKind> {
  readonly kind: Kind;
  /** In the past tense. Example: `api_key.revoked`. */
  readonly action: string;
  /** The locked row; undefined for a new record. */
  readonly before?: Records[Kind];
  readonly after: Records[Kind];
  readonly reason?: string | undefined;
}

/**
 * All records are written here, so that row, audit entry and event are in one transaction. A record without changes is
 * not written.
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
