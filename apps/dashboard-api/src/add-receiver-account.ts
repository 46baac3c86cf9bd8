import { normaliseMsisdn, type PaymentMethod, type Tenant } from '@pay/contracts';
import { isUniqueViolation, type Transaction } from '@pay/persistence';
import { begun } from './domain/records';
import { lockMerchant } from './lock-record';
import { Refusal } from './refusal';
import { storeChange, type ChangeDeps } from './store-change';

export interface AddReceiverAccountInput {
  readonly tenant: Tenant;
  readonly paymentMethod: PaymentMethod;
  readonly msisdn: string;
}

export async function addReceiverAccount(
  deps: ChangeDeps,
  tx: Transaction,
  { tenant, paymentMethod, msisdn: written }: AddReceiverAccountInput,
): Promise<{ receiverAccountId: string }> {
  await lockMerchant(tx, tenant.merchantId);
  const msisdn = normaliseMsisdn(written);
  if (msisdn === undefined)
    throw new Refusal('msisdn', 'the number must be a mobile number of Bangladesh, such as 01712345678');
  const after = begun({ id: deps.newId(), ...tenant, paymentMethod, msisdn, isActive: true }, deps.now());
  try {
    await storeChange(deps, tx, { kind: 'receiver_account', action: 'receiver_account.added', after });
  } catch (error) {
    if (isUniqueViolation(error, 'receiver_accounts_one_per_number')) {
      throw new Refusal('msisdn', `this merchant has this number for ${paymentMethod} already`);
    }
    throw error;
  }
  return { receiverAccountId: after.id };
}
