import { hash } from 'node:crypto';
import type { ReceiverAccountFact, Tenant } from '@pay/contracts';

/** Identifies the wallet of a receiver account: all texts about its balance, by number and account type. */
export type ChainOf = Tenant & Pick<ReceiverAccountFact, 'paymentMethod' | 'msisdn'>;

/**
 * The id of a wallet's balance chain, computed without a look-up. Receiver accounts of one number and method share it,
 * so the chain continues after an account is deleted and created again.
 */
export function balanceChainId({ merchantId, environment, paymentMethod, msisdn }: ChainOf): string {
  const key = [merchantId, environment, paymentMethod, msisdn].join(' ');
  const hex = hash('sha256', key).slice(0, 32).split('');
  // Version 8 and the variant of RFC 9562: derived from a hash.
  hex[12] = '8';
  hex[16] = '8';
  return hex.join('').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
