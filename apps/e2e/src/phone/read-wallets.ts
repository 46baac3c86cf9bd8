import type { MerchantAccess } from '../system';
import { UsageError } from './options';
import type { AccountType, Wallet } from './wallet-day';

const ACCOUNT_TYPES: readonly AccountType[] = ['PERSONAL', 'MERCHANT', 'AGENT'];

/** Comma-separated. Example: "bkash:personal:01711000001:1". */
export function readWallets(list: string): Wallet[] {
  return list.split(',').map((written) => {
    const [provider = '', accountType = '', msisdn = '', simSlot = ''] = written.trim().split(':');
    const wallet = {
      provider: (['BKASH', 'NAGAD'] as const).find((known) => known === provider.toUpperCase()),
      accountType: ACCOUNT_TYPES.find((known) => known === accountType.toUpperCase()),
    };
    if (!wallet.provider || !wallet.accountType || !/^01\d{9}$/.test(msisdn) || !/^[1-8]$/.test(simSlot)) {
      throw new UsageError(`--wallets: "${written.trim()}" is not like bkash:personal:01711000001:1`);
    }
    return { provider: wallet.provider, accountType: wallet.accountType, msisdn, simSlot: Number(simSlot) };
  });
}

/** The personal wallets of a merchant of the running system: bKash on the first SIM, Nagad on the second. */
export function personalWallets({ receivers }: MerchantAccess): Wallet[] {
  return (['BKASH', 'NAGAD'] as const).flatMap((provider, index) => {
    const receiver = receivers.find(({ paymentMethod }) => paymentMethod === `${provider}_SEND_MONEY`);
    return receiver === undefined
      ? []
      : [{ provider, accountType: 'PERSONAL' as const, msisdn: receiver.msisdn, simSlot: index + 1 }];
  });
}
