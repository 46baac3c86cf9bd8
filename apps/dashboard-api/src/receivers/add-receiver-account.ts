import { normaliseMsisdn, type PaymentMethod, type ReceiverLimits, type Tenant } from '@pay/contracts';
import { isUniqueViolation, type Transaction } from '@pay/persistence';
import { insertMerchantNoticeOfDay } from '../sign-in/notice-repository';
import { receiverAccounts } from '../db/tables';
import { begun } from '../domain/records';
import { lockMerchant } from '../changes/lock-record';
import { refusedAsTaken } from './number-taken';
import { Refusal } from '../changes/refusal';
import { storeChange, type ChangeDeps } from '../changes/store-change';

export interface AddReceiverAccountInput {
  readonly tenant: Tenant;
  readonly paymentMethod: PaymentMethod;
  readonly msisdn: string;
  readonly label?: string | null | undefined;
  readonly limits?: ReceiverLimits | null | undefined;
}

export async function addReceiverAccount(
  deps: ChangeDeps,
  tx: Transaction,
  { tenant, paymentMethod, msisdn: written, label = null, limits = null }: AddReceiverAccountInput,
): Promise<{ receiverAccountId: string }> {
  await lockMerchant(tx, tenant.merchantId);
  const msisdn = normaliseMsisdn(written);
  if (msisdn === undefined)
    throw new Refusal('msisdn', 'the number must be a mobile number of Bangladesh, such as 01712345678');
  const fields = { id: deps.newId(), ...tenant, paymentMethod, msisdn, label, limits, isActive: true };
  const after = begun(fields, deps.now());
  try {
    await storeChange(deps, tx, { kind: 'receiver_account', action: 'receiver_account.added', after });
  } catch (error) {
    if (isUniqueViolation(error, 'receiver_accounts_one_per_number')) {
      const text = `this merchant has this number for ${paymentMethod} already`;
      throw new Refusal('msisdn', text, 'RECEIVER_ACCOUNT_EXISTS');
    }
    throw refusedAsTaken(error);
  }
  if (tenant.environment === 'LIVE') await tellOfSharedNumber(deps, tx, tenant.merchantId, msisdn);
  return { receiverAccountId: after.id };
}

/**
 * Informs the merchants of a shared number at most once a day. It may be a mistake or an attempt to take over the
 * number.
 */
async function tellOfSharedNumber(
  deps: ChangeDeps,
  tx: Transaction,
  merchantId: string,
  msisdn: string,
): Promise<void> {
  const others = new Set((await receiverAccounts.listBy(tx, 'activeElsewhere', [msisdn, merchantId])).map(merchantOf));
  if (others.size === 0) return;
  const createdAt = deps.now();
  for (const each of [...others, merchantId]) {
    await insertMerchantNoticeOfDay(tx, each, {
      id: deps.newId(),
      kind: 'number_shared',
      details: { msisdn },
      createdAt,
    });
  }
}

function merchantOf({ merchantId }: { readonly merchantId: string }): string {
  return merchantId;
}
