import { toAsciiDigits, type Provider } from '@pay/contracts';
import type { Parsed, Reading, Unparsed } from './parsed-sms';
import { readBkash } from './providers/bkash';
import { readNagad } from './providers/nagad';

/** Sender ids that are trusted to be a provider's, as whole names. */
export type SenderIds = Readonly<Record<Provider, readonly string[]>>;

/** Printable ASCII. Lower-casing maps other letters onto ASCII ones: the Kelvin sign in "b\u212aash" becomes a k. */
const ASCII = /^[\x20-\x7e]+$/;

const READERS: Readonly<Record<Provider, (text: string) => Reading>> = { BKASH: readBkash, NAGAD: readNagad };

/** Whole names, without regard to case: substring checks accept "BKASH-PROMO". */
export function providerOfSender(sender: string, senderIds: SenderIds): Provider | null {
  const name = sender.trim().toLowerCase();
  if (!ASCII.test(name) || !ASCII.test(sender.trim())) return null;
  const providers: readonly Provider[] = ['BKASH', 'NAGAD'];
  return providers.find((provider) => senderIds[provider].some((id) => id.trim().toLowerCase() === name)) ?? null;
}

/** Reads one SMS. Only what is certain is PARSED; everything else is UNPARSED with the reason, a fault of a parser included. */
export function parseSms(
  sms: { readonly sender: string; readonly message: string },
  senderIds: SenderIds,
): Parsed | Unparsed {
  const provider = providerOfSender(sms.sender, senderIds);
  if (provider === null) return { status: 'UNPARSED', provider, reason: 'untrusted_sender' };
  return readAs(provider, sms.message, READERS[provider]);
}

export function readAs(provider: Provider, message: string, read: (text: string) => Reading): Parsed | Unparsed {
  try {
    const reading = read(toAsciiDigits(message));
    if (typeof reading === 'string') return { status: 'UNPARSED', provider, reason: reading };
    return { status: 'PARSED', provider, ...reading };
  } catch {
    // The text has been paid for with somebody's money: it is stored and looked at, whatever the parser thinks of it.
    return { status: 'UNPARSED', provider, reason: 'parser_error' };
  }
}
