import { randomBytes } from 'node:crypto';

/** Simulated wallets use Bangladesh time, growing ids and consistent balances. */
const DHAKA_OFFSET_MS = 6 * 3_600_000;
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** Format dd/mm/yyyy HH:MM in Asia/Dhaka, as both providers use it. */
export function dhakaMinute(at: Date): string {
  const local = new Date(at.getTime() + DHAKA_OFFSET_MS).toISOString();
  return `${local.slice(8, 10)}/${local.slice(5, 7)}/${local.slice(0, 4)} ${local.slice(11, 16)}`;
}

/**
 * Two payments of one TrxID are one payment to the gateway, and two of thirty thousand random ids are equal once in 170
 * runs.
 */
const given = new Set<string>();

/** Format of bKash: a date code of three characters and seven random ones. Unique in this process. */
export function newTrxId(at: Date): string {
  let trxId = randomTrxId(at);
  while (given.has(trxId)) trxId = randomTrxId(at);
  given.add(trxId);
  return trxId;
}

function randomTrxId(at: Date): string {
  const local = new Date(at.getTime() + DHAKA_OFFSET_MS);
  const year = ALPHABET[local.getUTCFullYear() - 2013] ?? 'Z';
  const month = ALPHABET[10 + local.getUTCMonth()] ?? 'A';
  const day = ALPHABET[local.getUTCDate()] ?? '1';
  const rest = [...randomBytes(7)].map((byte) => ALPHABET[byte % 36] ?? '0').join('');
  return `${year}${month}${day}${rest}`;
}

/** Example: "1250.5" becomes "1,250.50". */
function bkashMoney(amount: string): string {
  const [whole = '0', cents = ''] = amount.split('.');
  return `${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${cents.padEnd(2, '0')}`;
}

export interface Transfer {
  readonly amount: string;
  readonly reference: string | null;
  readonly trxId: string;
  readonly from?: string;
  readonly at?: Date;
}

export function bkashSendMoney({ amount, reference, trxId, from = '01712000345', at = new Date() }: Transfer): string {
  const ref = reference === null ? '' : ` Ref ${reference}.`;
  return `You have received Tk ${bkashMoney(amount)} from ${from}.${ref} Fee Tk 0.00. Balance Tk 84,310.25. TrxID ${trxId} at ${dhakaMinute(at)}`;
}

export function nagadSendMoney({ amount, reference, trxId, from = '01812000345', at = new Date() }: Transfer): string {
  const [whole = '0', cents = ''] = amount.split('.');
  return [
    'Money Received.',
    `Amount: Tk ${whole}.${cents.padEnd(2, '0')}`,
    `Sender: ${from}`,
    `Ref: ${reference ?? 'N/A'}`,
    `TxnID: ${trxId}`,
    'Balance: Tk 20310.75',
    dhakaMinute(at),
  ].join('\n');
}
