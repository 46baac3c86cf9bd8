import type { Provider, SmsSignal } from '@pay/contracts';
import {
  isCollected,
  WALLETS,
  type Parsed,
  type Reading,
  type Refusal,
  type Unparsed,
  type Wallet,
} from './parsed-sms';
import { readBkash } from './parsing/bkash';
import { readNagad } from './parsing/nagad';
import { MAX_TEXT_LENGTH, normalise, type FoldedText } from './parsing/normalise';
import { readRocket } from './parsing/rocket';
import {
  advertIn,
  advertInUnread,
  signalsOfFacts,
  signalsOfGrammar,
  signalsOfNearMiss,
  signalsOfSender,
  signalsOfWriting,
} from './parsing/signals';
import { readUpay } from './parsing/upay';

/** Sender ids, as whole names. */
export interface SenderIds extends Readonly<Record<Provider, readonly string[]>> {
  /** Senders whose texts are recognised but never evidence. Default: none. */
  readonly ROCKET?: readonly string[];
  readonly UPAY?: readonly string[];
  /** Further sender ids of a provider for recharges and bills: recognised for the balance, never evidence. */
  readonly notices?: Readonly<Partial<Record<Provider, readonly string[]>>>;
}

/** The provider of a text by its sender, and whether that sender is trusted to report received money. */
export interface Sender {
  readonly wallet: Wallet;
  readonly isTrusted: boolean;
}

export type Reader = (text: FoldedText) => Reading;
export type Readers = Readonly<Record<Wallet, Reader>>;

export const READERS: Readers = { BKASH: readBkash, NAGAD: readNagad, ROCKET: readRocket, UPAY: readUpay };

/** Printable ASCII. Lower-casing maps other letters onto ASCII ones: the Kelvin sign in "b\u212aash" becomes a k. */
const ASCII = /^[\x20-\x7e]+$/;

/** Whole names, without regard to case: substring checks accept "BKASH-PROMO". */
export function identifySender(sender: string, senderIds: SenderIds): Sender | null {
  const name = sender.trim().toLowerCase();
  if (!ASCII.test(name) || !ASCII.test(sender.trim())) return null;
  const isOneOf = (ids: readonly string[] = []) => ids.some((id) => id.trim().toLowerCase() === name);
  const trusted = WALLETS.find((wallet) => isOneOf(senderIds[wallet]));
  if (trusted !== undefined) return { wallet: trusted, isTrusted: true };
  const notifying = WALLETS.find((wallet) => isCollected(wallet) && isOneOf(senderIds.notices?.[wallet]));
  return notifying === undefined ? null : { wallet: notifying, isTrusted: false };
}

export interface SmsToParse {
  readonly sender: string;
  readonly message: string;
  /** The phone's time of receipt. */
  readonly receivedAt?: Date;
}

/**
 * Parses one SMS. Only unambiguous texts are PARSED; all others, including parser failures, are UNPARSED with a reason.
 */
export function parseSms(sms: SmsToParse, senderIds: SenderIds, readers: Readers = READERS): Parsed | Unparsed {
  const sender = identifySender(sms.sender, senderIds);
  if (sender === null) return unparsed(null, { reason: 'untrusted_sender', facts: null });
  if (sms.message.length > MAX_TEXT_LENGTH) return unparsed(sender.wallet, { reason: 'text_too_long', facts: null });
  try {
    return read(sms, sender, readers[sender.wallet], senderIds[sender.wallet] ?? []);
  } catch {
    // The text may be about real money: it is stored and can be reviewed although the parser failed.
    return unreadable(sender.wallet);
  }
}

/** The result of a failed parser; a later version may re-parse the text. */
export function unreadable(provider: Wallet | null): Unparsed {
  return unparsed(provider, { reason: 'parser_error', facts: null });
}

function read(
  sms: SmsToParse,
  { wallet, isTrusted }: Sender,
  reader: Reader,
  spellings: readonly string[],
): Parsed | Unparsed {
  const text = normalise(sms.message);
  const reading = reader(text);
  if ('reason' in reading) return unparsed(wallet, reading, refusalSignals(sms, wallet, text, reading));

  const { money, frame, preface, payerText } = reading;
  // Only texts of a collecting provider confirm payments, whatever a parser returns for others.
  if (!isCollected(wallet)) return unparsed(wallet, { reason: 'not_collected', facts: money });
  const { message, receivedAt } = sms;
  const signals = [
    ...signalsOfFacts({ wallet, facts: money, receivedAt }),
    ...signalsOfWriting(wallet, { message, line: text.line, payerText, advert: advertIn(preface, frame) }),
    ...signalsOfGrammar(wallet, frame),
  ];
  if (!isTrusted) return unparsed(wallet, { reason: 'untrusted_sender', facts: money }, signals);
  return {
    status: 'PARSED',
    provider: wallet,
    ...money,
    signals: [...signals, ...signalsOfSender(sms.sender, spellings)],
  };
}

function refusalSignals(sms: SmsToParse, wallet: Wallet, text: FoldedText, { reason, facts }: Refusal): SmsSignal[] {
  return [
    ...(facts === null ? [] : signalsOfFacts({ wallet, facts, receivedAt: sms.receivedAt })),
    ...signalsOfWriting(wallet, {
      message: sms.message,
      line: text.line,
      payerText: [0, 0],
      advert: advertInUnread(text.line),
    }),
    ...(reason === 'unsupported_format' ? signalsOfNearMiss(text) : []),
  ];
}

function unparsed(provider: Wallet | null, refusal: Refusal, signals: readonly SmsSignal[] = []): Unparsed {
  return { status: 'UNPARSED', provider, ...refusal, signals };
}
