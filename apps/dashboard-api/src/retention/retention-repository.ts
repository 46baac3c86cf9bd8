import { firstIdAt, oldRowsInOrder, type OldRows } from '@pay/persistence';

const byId = (table: string, before: Date) =>
  ({ table, order: 'id', orderType: 'uuid', before: firstIdAt(before), values: [before] }) as const;

export function oldAuditLog(before: Date): OldRows {
  return oldRowsInOrder({ ...byId('audit_log', before), deletable: 'old.at < $4' });
}

export function endedInvitations(before: Date): OldRows {
  return oldRowsInOrder({
    ...byId('invitations', before),
    deletable: 'least(old.accepted_at, old.revoked_at, old.expires_at) < $4',
  });
}

export function endedPairings(before: Date): OldRows {
  return oldRowsInOrder({
    ...byId('device_pairings', before),
    deletable: 'least(old.closed_at, old.expires_at) < $4',
  });
}

/** A valid proof is kept. */
export function endedNumberProofs(before: Date): OldRows {
  return oldRowsInOrder({
    ...byId('number_proofs', before),
    deletable: 'coalesce(old.closed_at, case when old.proven_at is null then old.expires_at end) < $4',
  });
}
