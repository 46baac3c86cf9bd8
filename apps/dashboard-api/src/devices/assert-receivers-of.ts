import type { Tenant } from '@pay/contracts';
import type { Transaction } from '@pay/persistence';
import { receiverAccounts } from '../db/tables';
import type { Sim } from '../domain/records';
import { receiversOf } from '../domain/sims';
import { Refusal } from '../changes/refusal';

/** A device must never report for wallets of another merchant or environment. */
export async function assertReceiversOf(
  tx: Transaction,
  { merchantId, environment }: Tenant,
  sims: readonly Sim[],
): Promise<void> {
  const ids = receiversOf(sims);
  const values = [ids, merchantId, environment];
  const own = new Set((await receiverAccounts.listBy(tx, 'presentOfTenantById', values)).map((account) => account.id));
  const foreign = ids.find((id) => !own.has(id));
  if (foreign !== undefined) {
    throw new Refusal('sim', `${foreign} is no receiver account of this merchant and environment`, 'NOT_FOUND');
  }
}
