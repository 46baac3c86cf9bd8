import { NO_SUPPORT_CONTACT, type Branding, type PaymentMethod, type SupportContact } from '@pay/contracts';
import type { Transaction } from '@pay/persistence';
import { begun } from '../domain/records';
import { storeChange, type ChangeDeps } from '../changes/store-change';

export interface CreateMerchantInput {
  readonly id?: string | undefined;
  readonly name: string;
  readonly enabledMethods: readonly PaymentMethod[];
  readonly support?: Partial<SupportContact> | undefined;
  readonly branding?: Branding | undefined;
}

export async function createMerchant(
  deps: ChangeDeps,
  tx: Transaction,
  input: CreateMerchantInput,
): Promise<{ merchantId: string }> {
  const { id = deps.newId(), name, enabledMethods, branding = null } = input;
  const support = input.support ? { ...NO_SUPPORT_CONTACT, ...input.support } : null;
  const unset = { evidenceRules: null, checkout: null };
  const after = begun({ id, name, isActive: true, enabledMethods, ...unset, branding, support }, deps.now());
  await storeChange(deps, tx, { kind: 'merchant', action: 'merchant.created', after });
  return { merchantId: id };
}
