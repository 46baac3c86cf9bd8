import type { SmsSignal } from '@pay/contracts';
import type { Facts, Wallet } from '../parsed-sms';
import type { FoldedText } from './normalise';
import { bkashIdVerdict, nagadIdVerdict, upayIdVerdict, type IdVerdict } from './trx-id-clocks';

const MINUTE = 60_000;
/** How far a phone's clock may be behind the provider's before it is worth a word. */
const LATEST_AHEAD = 10 * MINUTE;
const LONGEST_ON_THE_WAY = 24 * 60 * MINUTE;

export interface Examined {
  readonly wallet: Wallet;
  readonly facts: Facts;
  /** The phone's time of receipt, where it is known. */
  readonly receivedAt: Date | undefined;
}

/** Everything odd about what a text says. Each by itself is found in genuine texts too. */
export function signalsOfFacts({ wallet, facts, receivedAt }: Examined): SmsSignal[] {
  return [
    ...signal('trx_id_time', idDetail(wallet, facts)),
    ...signal('provider_time', timeDetail(facts.providerTime, receivedAt)),
    ...signal('balance', balanceDetail(facts)),
  ];
}

/** Everything odd about how the text is written, where `written` is what the provider wrote of it: a payer may write what they like. */
export function signalsOfWriting(message: string, written: string): SmsSignal[] {
  const content = signal('foreign_content', contentDetail(written));
  if (ASCII.test(message)) return content;
  return [
    ...signal('invisible_characters', invisibleDetail(message)),
    ...signal('lookalike_letters', lookalikeDetail(written)),
    ...content,
  ];
}

/** What nearly every text is, and then holds no letter or mark that others could be taken for. */
const ASCII = /^[\x00-\x7f]*$/;

function signal(name: string, detail: string | undefined): SmsSignal[] {
  return detail === undefined ? [] : [{ name, detail }];
}

const ID_VERDICT: Readonly<Partial<Record<Wallet, (trxId: string, providerTime: Date) => IdVerdict>>> = {
  BKASH: bkashIdVerdict,
  NAGAD: nagadIdVerdict,
  UPAY: upayIdVerdict,
};

function idDetail(wallet: Wallet, { trxId, providerTime }: Facts): string | undefined {
  if (trxId === null || providerTime === null) return undefined;
  const verdict = ID_VERDICT[wallet]?.(trxId, providerTime);
  return verdict === 'agrees' ? undefined : verdict;
}

/** To the minute, as the provider writes it. */
function timeDetail(providerTime: Date | null, receivedAt: Date | undefined): string | undefined {
  if (providerTime === null || receivedAt === undefined) return undefined;
  const onTheWay = receivedAt.getTime() - providerTime.getTime();
  if (onTheWay < -LATEST_AHEAD) return 'after_receipt';
  return onTheWay > LONGEST_ON_THE_WAY ? 'long_before_receipt' : undefined;
}

/** After money came in, the wallet holds at least that much, unless something else took it within the same moment. */
function balanceDetail({ direction, amount, balance }: Facts): string | undefined {
  if (direction !== 'IN' || amount === null || balance === null) return undefined;
  return balance < amount ? 'below_amount' : undefined;
}

const ZERO_WIDTH = /[\u00ad\u200b\u2060\ufeff]/;
/** Joiners belong to Bangla writing; anywhere else they are hidden. */
const STRAY_JOINER = /[^\u0980-\u09ff][\u200c\u200d]/;
const DIRECTION = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

function invisibleDetail(message: string): string | undefined {
  if (DIRECTION.test(message)) return 'direction_marks';
  return ZERO_WIDTH.test(message) || STRAY_JOINER.test(message) ? 'zero_width' : undefined;
}

/** Letters that look like those of a label or an id. */
const SCRIPTS: readonly (readonly [detail: string, letters: RegExp])[] = [
  ['cyrillic', /\p{Script=Cyrillic}/u],
  ['greek', /\p{Script=Greek}/u],
  ['fullwidth', /[\uff01-\uff5e]/],
  ['mathematical', /[\u{1d400}-\u{1d7ff}]/u],
  ['accented', /[\u00c0-\u024f\u1e00-\u1eff\u212a\u212b]/],
];

function lookalikeDetail(written: string): string | undefined {
  return SCRIPTS.find(([, letters]) => letters.test(written))?.[0];
}

/** Most texts hold no link, and looking for all of them costs more than for one. */
const MAY_LINK = /:\/\/|www\./i;
const LINK = /(?:https?:\/\/|www\.)([a-z0-9.-]{1,100})/gi;
const OWN_HOST = /^(?:[a-z0-9-]{1,60}\.)?(?:bka\.sh|bkash\.com|nagad\.io|nagad\.com\.bd|bit\.ly)$/i;
/** A number to call, after the time: the texts themselves end with it. */
const NUMBER_AFTER_TIME = /\d{2}:\d{2}.{0,250}(?<!\d)(?:\+?88)?01[3-9]\d{8}(?!\d)/;

function contentDetail(written: string): string | undefined {
  if (MAY_LINK.test(written)) {
    for (const [, host = ''] of written.matchAll(LINK)) {
      if (!OWN_HOST.test(host)) return 'link';
    }
  }
  return NUMBER_AFTER_TIME.test(written) ? 'phone_number' : undefined;
}

/** How a text that was read differs from how the provider writes it: what a transport does, and what a forger forgets. */
export function signalsOfGrammar(wallet: Wallet, frame: string): SmsSignal[] {
  const details = wallet === 'NAGAD' ? nagadDeviations(frame) : bkashDeviations(frame);
  return details.map((detail) => ({ name: 'grammar', detail }));
}

function bkashDeviations(frame: string): string[] {
  return [
    ...(/Tk \d{4,}\.\d\d/.test(frame) ? ['thousands_commas'] : []),
    ...(/\.(?:Fee|Balance|TrxID) /.test(frame) ? ['spacing'] : []),
  ];
}

function nagadDeviations(frame: string): string[] {
  return [
    ...(/Tk ?\d{1,3},\d/.test(frame) ? ['thousands_commas'] : []),
    ...(/[^ \n](?:Amount|Amt|Sender|Customer|Ref|TxnID|Comm|Balance|Bal):|\.\d\d\d\d\//.test(frame)
      ? ['line_breaks']
      : []),
    ...(/[A-Za-z]:[^ ]|Tk\d/.test(frame) ? ['spacing'] : []),
  ];
}

/** What is left of a text without case, spaces and punctuation. */
function bones(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, '');
}

const BONES = [
  /^youhavereceived(?:payment)?tk\d{1,15}from[0-9x]{11}.{0,600}balancetk\d{1,15}trxid/,
  /^cashouttk\d{1,15}from[0-9x]{11}successful.{0,100}balancetk\d{1,15}trxid/,
  /^(?:money|payment|cashout)receivedam(?:oun)?ttk\d{1,15}(?:sender|customer)[0-9x]{11}.{0,600}txnid/,
] as const;

/** A text that was not read although it says the same words in the same order as one that would have been. */
export function signalsOfNearMiss({ line }: FoldedText): SmsSignal[] {
  const left = bones(line);
  return BONES.some((pattern) => pattern.test(left)) ? [{ name: 'grammar', detail: 'near_miss' }] : [];
}
