import { randomUUID } from 'node:crypto';
import type { Environment, MerchantFact, PaymentMethod, ReceiverAccountFact, Tenant } from '@pay/contracts';
import { anIntent, someEvidence } from './builders';
import { aName } from './session-under-test';

export interface Shop {
  readonly tenant: Tenant;
  readonly bkash: ReceiverAccountFact;
  readonly nagad: ReceiverAccountFact;
  readonly merchant: MerchantFact;
}

/** A merchant with a bKash and a Nagad wallet. */
export function newShop(environment: Environment): Shop {
  const tenant = { merchantId: randomUUID(), environment };
  const fact = { version: 1, deleted: false, isActive: true };
  const wallet = (paymentMethod: PaymentMethod): ReceiverAccountFact => ({
    ...fact,
    ...tenant,
    id: randomUUID(),
    paymentMethod,
    msisdn: '01700000900',
  });
  return {
    tenant,
    bkash: wallet('BKASH_SEND_MONEY'),
    nagad: wallet('NAGAD_SEND_MONEY'),
    merchant: {
      ...fact,
      id: tenant.merchantId,
      name: 'Boi Bazar',
      enabledMethods: ['BKASH_SEND_MONEY', 'NAGAD_SEND_MONEY'],
    },
  };
}

/** An intent that shows these wallets of the shop. */
export function showing({ tenant }: Shop, ...wallets: readonly ReceiverAccountFact[]) {
  return anIntent({
    tenant,
    reference: aName(),
    shownReceivers: wallets.map(({ id, paymentMethod }) => ({ receiverAccountId: id, paymentMethod })),
  });
}

/** Evidence of a payment to a wallet of the shop. */
export function money({ tenant }: Shop, referenceKey: string, wallet: ReceiverAccountFact) {
  const provider = wallet.paymentMethod.startsWith('NAGAD') ? 'NAGAD' : 'BKASH';
  return someEvidence({
    tenant,
    trxId: aName(),
    referenceKey,
    provider,
    method: wallet.paymentMethod,
    receiverAccountId: wallet.id,
  });
}
