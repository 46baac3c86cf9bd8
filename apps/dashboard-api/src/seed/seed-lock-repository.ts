import type { Transaction } from '@pay/persistence';

/** Serialises concurrent seeding. */
export async function lockSeeding(tx: Transaction): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtext('seed-merchants'))`);
}
