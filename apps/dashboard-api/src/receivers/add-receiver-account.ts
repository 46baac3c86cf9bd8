import { normaliseMsisdn, type PaymentMethod, type ReceiverLimits, type Tenant } from '@pay/contracts';
import { isUniqueViolation, type Transaction } from '@pay/persistence';
import { begun } from '../domain/records';
import { lockMerchant } from '../changes/lock-record';
import { refusedAsTaken } from './number-taken';
import { Refusal } from '../changes/refusal';
import { storeChange, type ChangeDeps } from '../changes/store-change';
import { tellOfSharedNumber } from './tell-of-shared-number';

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
  await tellOfSharedNumber(deps, tx, after);
  return { receiverAccountId: after.id };
}
