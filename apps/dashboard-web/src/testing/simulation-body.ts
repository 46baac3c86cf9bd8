import type { PaymentMethod } from '@pay/contracts';
import { latinDigits } from '../text/whole-number';

export interface SimulationFields {
  readonly mode: 'fields' | 'text';
  readonly paymentMethod: PaymentMethod;
  readonly amount: string;
  readonly customerReference: string;
  readonly receiverMsisdn: string;
  readonly senderMsisdn: string;
  readonly trxId: string;
  readonly fee: string;
  readonly balance: string;
  readonly sender: string;
  readonly message: string;
}

/**
 * The request of the simulator: a text of fields, or a text as it was typed. Empty fields are left to the simulator.
 */
export function simulationBody(fields: SimulationFields): Record<string, unknown> {
  const { mode, sender, message, receiverMsisdn, paymentMethod, senderMsisdn } = fields;
  if (mode === 'text') return { sender: sender.trim(), message, receiverMsisdn };
  const optional = Object.entries({
    customerReference: fields.customerReference.trim(),
    trxId: fields.trxId.trim().toUpperCase(),
    fee: amountOf(fields.fee),
    balance: amountOf(fields.balance),
  }).filter(([, value]) => value !== '');
  return {
    paymentMethod,
    amount: amountOf(fields.amount),
    receiverMsisdn,
    senderMsisdn: latinDigits(senderMsisdn.trim()),
    ...Object.fromEntries(optional),
  };
}

/** " ১,২৫০.50 " is "1250.50". */
function amountOf(text: string): string {
  return latinDigits(text).replace(/[\s,]/g, '');
}
