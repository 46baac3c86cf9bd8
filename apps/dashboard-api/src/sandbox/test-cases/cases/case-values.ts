import { amountFromWire, formatAmount, minuteInDhaka } from '@pay/contracts';
import type { PlayedIntent } from '../case-steps';
import { textOf, type PublicAnswer } from '../public-api';

/** Subtracts Tk 1. */
export function less(amount: string): string {
  return formatAmount(amountFromWire(amount) - 100n);
}

/** The reason of a confirmation, or the code of an error. */
export function reasonOf({ body }: PublicAnswer): string {
  return textOf(body, 'reason', 'code', 'message');
}

const FORGER = '01711000999';

/** The text of bKash, from a private number. */
export function forgedText({ amount, customerReference, receiverMsisdn }: PlayedIntent, trxId: string) {
  const poisha = amountFromWire(amount);
  const written = `${poisha / 100n}.${String(poisha % 100n).padStart(2, '0')}`;
  const message =
    `You have received Tk ${written} from ${FORGER}. Ref ${customerReference}. Fee Tk 0.00. Balance Tk ${written}. ` +
    `TrxID ${trxId} at ${minuteInDhaka(new Date())}`;
  return { sender: FORGER, message, receiverMsisdn };
}
