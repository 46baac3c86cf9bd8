import type { DecisionChainHead, Tenant } from '@pay/contracts';
import type { Queryable } from '@pay/persistence';
import { findChain, unsealedDecisions } from './decision-chain-repository';

const MOST_COUNTED = 1_000;

/** The head of a tenant's chain, for publication: a stored copy of it proves later that the end was not cut off. */
export async function showChainHead({ db }: { readonly db: Queryable }, tenant: Tenant): Promise<DecisionChainHead> {
  const [head, unsealed] = await Promise.all([findChain(db, tenant), unsealedDecisions(db, [tenant], MOST_COUNTED)]);
  return {
    position: (head?.position ?? 0n).toString(),
    link: head?.link ?? null,
    sealedAt: head?.sealedAt?.toISOString() ?? null,
    unsealed: unsealed.length,
  };
}
