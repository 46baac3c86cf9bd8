import {
  environmentSchema,
  formatAmount,
  missingSmsStatusSchema,
  type MissingSmsListQuery,
  type MissingSmsPage,
} from '@pay/contracts';
import type { Queryable } from '@pay/persistence';
import { pageOfMissingSms } from './missing-sms-list-repository';
import { missingSentence } from '../domain/missing-sentence';

/** A page of a merchant's open or explained gaps. */
export async function listMissingSms(
  { db }: { readonly db: Queryable },
  merchantId: string,
  { environment, status, receiverAccountId, page, limit }: MissingSmsListQuery,
): Promise<MissingSmsPage> {
  const filter = {
    merchantId,
    environments: environment === undefined ? environmentSchema.options : [environment],
    statuses: status === undefined ? missingSmsStatusSchema.options : [status],
    receiverAccountId: receiverAccountId ?? null,
  };
  const { found, total } = await pageOfMissingSms(db, filter, { limit, offset: (page - 1) * limit });
  const data = found.map((missing) => ({
    id: missing.id,
    environment: missing.environment,
    receiverAccountIds: [...missing.receiverAccountIds],
    receiverMsisdn: missing.msisdn,
    direction: missing.direction,
    amount: formatAmount(missing.amount),
    from: missing.from.toISOString(),
    to: missing.to.toISOString(),
    status: missing.status,
    foundAt: missing.foundAt.toISOString(),
    explainedAt: missing.explainedAt?.toISOString() ?? null,
    sentence: missingSentence({ ...missing, isExplained: missing.status === 'EXPLAINED' }),
  }));
  return { data, total, page, limit };
}
