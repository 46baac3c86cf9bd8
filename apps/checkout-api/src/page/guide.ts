import { METHOD_TEXTS, type MethodText, type PaymentMethod } from '@pay/contracts';

export interface Guide extends Way {
  /** As named in the provider's SMS, with an example. */
  readonly trx: MethodText['trxId'] & { readonly example: string };
  /** False if the SMS contains no reference, so that only the transaction id identifies the order. */
  readonly carriesReference: boolean;
}

interface Way {
  readonly provider: 'BKASH' | 'NAGAD';
  readonly action: 'payment' | 'sendMoney' | 'cashOut';
  /** As named in the provider's app and USSD menu. */
  readonly menu: string;
  readonly ussd: string;
  readonly asksForCounter: boolean;
}

const BKASH = { provider: 'BKASH', ussd: '*247#' } as const;
const NAGAD = { provider: 'NAGAD', ussd: '*167#' } as const;
const TRX_ID_EXAMPLES = { BKASH: 'DKL4A1B2C3', NAGAD: '75HKUOBF' } as const;
const PAYMENT = { action: 'payment', menu: 'Payment', asksForCounter: false } as const;
const SEND_MONEY = { action: 'sendMoney', menu: 'Send Money', asksForCounter: false } as const;
const CASH_OUT = { action: 'cashOut', menu: 'Cash Out', asksForCounter: false } as const;

const WAYS: Readonly<Record<PaymentMethod, Way>> = {
  BKASH_PAYMENT: { ...BKASH, ...PAYMENT, asksForCounter: true },
  BKASH_SEND_MONEY: { ...BKASH, ...SEND_MONEY },
  BKASH_CASHOUT: { ...BKASH, ...CASH_OUT },
  NAGAD_PAYMENT: { ...NAGAD, ...PAYMENT },
  NAGAD_SEND_MONEY: { ...NAGAD, ...SEND_MONEY },
  NAGAD_CASHOUT: { ...NAGAD, ...CASH_OUT },
};

function guideTo(method: PaymentMethod): Guide {
  const way = WAYS[method];
  const { carriesReference, trxId } = METHOD_TEXTS[method];
  return { ...way, carriesReference, trx: { ...trxId, example: TRX_ID_EXAMPLES[way.provider] } };
}

export const GUIDES: Readonly<Record<PaymentMethod, Guide>> = {
  BKASH_PAYMENT: guideTo('BKASH_PAYMENT'),
  BKASH_SEND_MONEY: guideTo('BKASH_SEND_MONEY'),
  BKASH_CASHOUT: guideTo('BKASH_CASHOUT'),
  NAGAD_PAYMENT: guideTo('NAGAD_PAYMENT'),
  NAGAD_SEND_MONEY: guideTo('NAGAD_SEND_MONEY'),
  NAGAD_CASHOUT: guideTo('NAGAD_CASHOUT'),
};
