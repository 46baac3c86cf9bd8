import type { PaymentMethod } from '@pay/contracts';

/** What is particular to paying with one method. */
export interface Guide {
  readonly provider: 'BKASH' | 'NAGAD';
  readonly action: 'payment' | 'sendMoney' | 'cashOut';
  /** As the provider's app and its USSD menu call it, in either language of ours. */
  readonly menu: string;
  readonly ussd: string;
  /** What the provider's SMS calls the transaction id, and how one looks. */
  readonly trx: { readonly label: string; readonly example: string; readonly length: number };
  /** Whether the USSD menu asks for the number of a shop's till as well, after the reference. */
  readonly asksForCounter: boolean;
  /** False where the SMS carries no reference: the transaction id is then the only thing that leads to the order. */
  readonly carriesReference: boolean;
}

const BKASH = {
  provider: 'BKASH',
  ussd: '*247#',
  trx: { label: 'TrxID', example: 'DKL4A1B2C3', length: 10 },
} as const;
const NAGAD = { provider: 'NAGAD', ussd: '*167#', trx: { label: 'TxnID', example: '75HKUOBF', length: 8 } } as const;
const PAYMENT = { action: 'payment', menu: 'Payment', carriesReference: true, asksForCounter: false } as const;
const SEND_MONEY = { action: 'sendMoney', menu: 'Send Money', carriesReference: true, asksForCounter: false } as const;
const CASH_OUT = { action: 'cashOut', menu: 'Cash Out', carriesReference: false, asksForCounter: false } as const;

export const GUIDES: Readonly<Record<PaymentMethod, Guide>> = {
  BKASH_PAYMENT: { ...BKASH, ...PAYMENT, asksForCounter: true },
  BKASH_SEND_MONEY: { ...BKASH, ...SEND_MONEY },
  BKASH_CASHOUT: { ...BKASH, ...CASH_OUT },
  NAGAD_PAYMENT: { ...NAGAD, ...PAYMENT },
  NAGAD_SEND_MONEY: { ...NAGAD, ...SEND_MONEY },
  NAGAD_CASHOUT: { ...NAGAD, ...CASH_OUT },
};
