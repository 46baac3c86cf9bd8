import type { Environment, MerchantFact, ReceiverAccountFact } from '@pay/contracts';
import type { noteSwitchOffs } from '../../src/expiry/note-switch-offs';
import { WALLETS, type Shop } from './facts';

const ENVIRONMENTS: readonly Environment[] = ['LIVE', 'SANDBOX'];

/** The directory facts of dashboard-api, as stored in every replica. */
export function directoryOf(merchantId: string, shopNow: () => Shop) {
  const isKnown = (id: string) => id === merchantId;
  return {
    merchant: (id: string) => Promise.resolve(isKnown(id) ? merchantFact(id, shopNow()) : undefined),
    receiverAccounts: ({ environment }: { readonly environment: Environment }) =>
      Promise.resolve(accountFacts(merchantId, environment, shopNow())),
    tenantCopy: (_tx: unknown, { merchantId: id, environment }: { merchantId: string; environment: Environment }) =>
      Promise.resolve(
        isKnown(id)
          ? { merchant: merchantFact(id, shopNow()), receiverAccounts: accountFacts(id, environment, shopNow()) }
          : undefined,
      ),
  };
}

/** dashboard-api's answer about this tenant. */
export function ownerOf(merchantId: string, shopNow: () => Shop) {
  return ({ environment }: { readonly environment: Environment }) =>
    Promise.resolve({
      merchant: merchantFact(merchantId, shopNow()),
      receiverAccounts: accountFacts(merchantId, environment, shopNow()),
    });
}

function merchantFact(id: string, { isActive, methods, rules, requirePayerDigits }: Shop): MerchantFact {
  return {
    id,
    version: 1,
    deleted: false,
    name: 'Boi Bazar',
    isActive,
    enabledMethods: [...methods],
    evidenceRules: rules,
    checkout: { requirePayerDigits },
  };
}

function accountFacts(merchantId: string, environment: Environment, { wallets }: Shop): ReceiverAccountFact[] {
  return WALLETS.map(({ id, method }, n) => ({
    id,
    version: 1,
    deleted: false,
    merchantId,
    environment,
    paymentMethod: method,
    msisdn: '01700000900',
    isActive: wallets.includes(n),
  }));
}

/** All facts, which are published when one changes. */
export function factsOf(merchantId: string, shop: Shop): Parameters<typeof noteSwitchOffs>[1] {
  const merchant = merchantFact(merchantId, shop);
  const accounts = ENVIRONMENTS.flatMap((environment) => accountFacts(merchantId, environment, shop));
  const stored = (kind: 'merchant' | 'receiver_account', environment: Environment | null, data: { id: string }) => ({
    kind,
    id: data.id,
    version: 1,
    deleted: false,
    merchant_id: merchantId,
    environment,
    data,
  });
  return [
    stored('merchant', null, merchant),
    ...accounts.map((each) => stored('receiver_account', each.environment, each)),
  ] as never;
}
