import { paymentMethodSchema, type PaymentMethod } from './payment-method';

/** The content of the SMS that the provider sends to the receiver of a payment. */
export interface MethodText {
  /**
   * False: the payer cannot enter a reference, or the text leaves it out. Such a payment is found by its TrxID, unless
   * a text contains a reference anyway.
   */
  readonly carriesReference: boolean;
  /** The name of the transaction id in the text, and its number of characters. */
  readonly trxId: { readonly label: 'TrxID' | 'TxnID'; readonly length: number };
}

const BKASH_TRX_ID = { label: 'TrxID', length: 10 } as const;
const NAGAD_TRX_ID = { label: 'TxnID', length: 8 } as const;

/**
 * The one table of what the text of each method contains: for the payment page, the simulator, the test cases and the
 * documentation.
 */
export const METHOD_TEXTS: Readonly<Record<PaymentMethod, MethodText>> = {
  BKASH_PAYMENT: { carriesReference: true, trxId: BKASH_TRX_ID },
  BKASH_SEND_MONEY: { carriesReference: true, trxId: BKASH_TRX_ID },
  BKASH_CASHOUT: { carriesReference: false, trxId: BKASH_TRX_ID },
  NAGAD_PAYMENT: { carriesReference: false, trxId: NAGAD_TRX_ID },
  NAGAD_SEND_MONEY: { carriesReference: true, trxId: NAGAD_TRX_ID },
  NAGAD_CASHOUT: { carriesReference: false, trxId: NAGAD_TRX_ID },
};

export const METHODS_WITH_REFERENCE = paymentMethodSchema.options.filter((each) => METHOD_TEXTS[each].carriesReference);
export const METHODS_WITHOUT_REFERENCE = paymentMethodSchema.options.filter(
  (each) => !METHOD_TEXTS[each].carriesReference,
);
