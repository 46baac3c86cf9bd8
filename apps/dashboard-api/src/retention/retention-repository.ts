import { oldRowsById, type OldRows } from '@pay/persistence';

export function oldAuditLog(before: Date): OldRows {
  return oldRowsById('audit_log', before, { values: [before], deletable: 'old.at < $4' });
}

export function endedInvitations(before: Date): OldRows {
  return oldRowsById('invitations', before, {
    values: [before],
    deletable: 'least(old.accepted_at, old.revoked_at, old.expires_at) < $4',
  });
}

export function endedPairings(before: Date): OldRows {
  return oldRowsById('device_pairings', before, {
    values: [before],
    deletable: 'least(old.closed_at, old.expires_at) < $4',
  });
}

/** A valid proof is kept. */
export function endedNumberProofs(before: Date): OldRows {
  return oldRowsById('number_proofs', before, {
    values: [before],
    deletable: 'coalesce(old.closed_at, case when old.proven_at is null then old.expires_at end) < $4',
  });
}
