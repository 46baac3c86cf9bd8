import {
  DEFAULT_BRANDING,
  DEFAULT_CHECKOUT_RULES,
  DEFAULT_EVIDENCE_RULES,
  NO_SUPPORT_CONTACT,
  paymentMethodSchema,
  RELAXABLE_SIGNALS,
  changedList,
  type Branding,
  type CheckoutRules,
  type EvidenceRules,
  type ListChange,
  type PaymentMethod,
  type RelaxableSignal,
  type SupportContact,
} from '@pay/contracts';
import type { Transaction } from '@pay/persistence';
import { changed, type MerchantRecord } from '../domain/records';
import { lockMerchant } from '../changes/lock-record';
import { Refusal } from '../changes/refusal';
import { storeChange, type ChangeDeps } from '../changes/store-change';

/** Undefined fields are not changed. */
type Given<Fields> = { readonly [Field in keyof Fields]?: Fields[Field] | undefined };

export interface ChangeMerchantInput {
  readonly merchantId: string;
  readonly change: {
    readonly name?: string | undefined;
    readonly isActive?: boolean | undefined;
    readonly enabledMethods?: ListChange<PaymentMethod> | undefined;
    readonly evidenceRules?:
      Given<Omit<EvidenceRules, 'relaxedSignals'> & { relaxedSignals: ListChange<RelaxableSignal> }> | undefined;
    readonly branding?: Given<Branding> | undefined;
    readonly checkout?: Given<CheckoutRules> | undefined;
    readonly support?: Given<SupportContact> | undefined;
  };
  readonly reason?: string | undefined;
  /** Whether the person may relax signals of forged evidence. Default: false. */
  readonly mayRelax?: boolean;
}

/** Deactivating a merchant disables all its API keys and devices in every service. */
export async function changeMerchant(
  deps: ChangeDeps,
  tx: Transaction,
  input: ChangeMerchantInput,
): Promise<MerchantRecord> {
  const before = await lockMerchant(tx, input.merchantId);
  const { evidenceRules, enabledMethods, branding, checkout, support, ...rest } = input.change;
  const relaxed = before.evidenceRules?.relaxedSignals ?? [];
  const relaxedSignals =
    evidenceRules?.relaxedSignals && changedList(RELAXABLE_SIGNALS, relaxed, evidenceRules.relaxedSignals);
  const added = relaxedSignals?.filter((signal) => !relaxed.includes(signal)) ?? [];
  assertMayRelax(input, added);
  const change: Partial<MerchantRecord> = {
    ...given(rest),
    ...(enabledMethods && {
      enabledMethods: changedList(paymentMethodSchema.options, before.enabledMethods, enabledMethods),
    }),
    ...(evidenceRules && {
      evidenceRules: {
        ...DEFAULT_EVIDENCE_RULES,
        ...before.evidenceRules,
        ...given({ ...evidenceRules, relaxedSignals }),
      },
    }),
    ...(branding && { branding: { ...DEFAULT_BRANDING, ...before.branding, ...given(branding) } }),
    ...(checkout && { checkout: { ...DEFAULT_CHECKOUT_RULES, ...before.checkout, ...given(checkout) } }),
    ...(support && { support: { ...NO_SUPPORT_CONTACT, ...before.support, ...given(support) } }),
  };
  const after = changed(before, change, deps.now());
  await storeChange(deps, tx, { kind: 'merchant', action: 'merchant.changed', before, after, reason: input.reason });
  return after;
}

/** Each relaxed signal makes forging easier, so an OWNER must decide and give a reason. */
function assertMayRelax({ reason, mayRelax }: ChangeMerchantInput, added: readonly string[]): void {
  if (added.length === 0) return;
  if (mayRelax !== true)
    throw new Refusal('evidenceRules.relaxedSignals', 'only an OWNER may relax a signal', 'FORBIDDEN');
  if (reason === undefined) throw new Refusal('reason', `is required to relax ${added.join(', ')}`, 'REASON_REQUIRED');
}

function given<Fields extends object>(fields: Fields): { [Field in keyof Fields]?: Exclude<Fields[Field], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}
