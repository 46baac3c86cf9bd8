import type { SmsSignal } from '@pay/contracts';
import type { Facts, Wallet } from '../parsed-sms';
import type { FoldedText } from './normalise';
import { checkBkashTrxId, checkNagadTrxId, checkUpayTrxId, type TrxIdCheck } from './trx-id-clocks';

const MINUTE = 60_000;
/** Tolerance for a phone's clock that is behind the provider's. */
const LATEST_AHEAD = 10 * MINUTE;
const LONGEST_ON_THE_WAY = 24 * 60 * MINUTE;

export interface Examined {
  readonly wallet: Wallet;
  readonly facts: Facts;
  /** The phone's time of receipt, where it is known. */
  readonly receivedAt: Date | undefined;
}

/** Signals of the parsed values. Each of them also occurs in genuine texts. */
export function signalsOfFacts({ wallet, facts, receivedAt }: Examined): SmsSignal[] {
  return [
    ...signal('trx_id_time', idDetail(wallet, facts)),
    ...signal('provider_time', timeDetail(facts.providerTime, receivedAt)),
    ...signal('balance', balanceDetail(facts)),
  ];
}

/** Information of a parser about a text besides its values. */
export interface Writing {
  /** The text as it came. */
  readonly message: string;
  /** The same folded, in one line. */
  readonly line: string;
  /** Where `line` holds what the payer wrote, which may be anything. */
  readonly payerText: readonly [from: number, to: number];
  /** The parts of `line` that may contain advertising. */
  readonly advert: string;
}

/** Signals of the wording and characters of a text. */
export function signalsOfWriting(wallet: Wallet, writing: Writing): SmsSignal[] {
  const content = signal('foreign_content', contentDetail(wallet, writing.advert));
  if (ASCII.test(writing.message)) return content;
  const written = withoutPayerText(writing);
  return [
    ...signal('invisible_characters', invisibleDetail(written)),
    ...signal('lookalike_letters', lookalikeDetail(written)),
    ...content,
  ];
}

/**
 * Where a parsed text may contain advertising: before its title, and after its time, whose date has the
 * first slash.
 */
export function advertIn(preface: string, frame: string): string {
  const afterTime = frame.slice(frame.indexOf('/') + '/mm/yyyy hh:mm'.length);
  return preface === '' ? afterTime : `${preface} ${afterTime}`;
}

/** The same in a text that was not understood. */
export function advertInUnread(line: string): string {
  const time = /\d{2}\/\d{2}\/\d{4} \d{2}:\d{2}/.exec(line);
  return time === null ? '' : line.slice(time.index + time[0].length);
}

/** A provider always uses the same spelling of its sender id; users of bulk SMS gateways type it. */
export function signalsOfSender(sender: string, ids: readonly string[]): SmsSignal[] {
  if (ids.includes(sender)) return [];
  const written = sender.replace(/^ +| +$/g, '');
  return ids.some((id) => id.trim() === written) ? [] : signal('sender_id', 'spelling');
}

/** Nearly every text matches this, and then contains no confusable letter or mark. */
const ASCII = /^[\x00-\x7f]*$/;

function signal(name: string, detail: string | undefined): SmsSignal[] {
  return detail === undefined ? [] : [{ name, detail }];
}

const TRX_ID_CHECKS: Readonly<Partial<Record<Wallet, (trxId: string, providerTime: Date) => TrxIdCheck>>> = {
  BKASH: checkBkashTrxId,
  NAGAD: checkNagadTrxId,
  UPAY: checkUpayTrxId,
};

function idDetail(wallet: Wallet, { trxId, providerTime }: Facts): string | undefined {
  if (trxId === null || providerTime === null) return undefined;
  const check = TRX_ID_CHECKS[wallet]?.(trxId, providerTime);
  return check === 'agrees' ? undefined : check;
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

/** Characters that show nothing. White space is not among them: transports change it. */
const INVISIBLE = /(?![\u200c\u200d])[\p{Default_Ignorable_Code_Point}\p{Cf}]|[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]/u;
/** Joiners belong to Bangla writing; anywhere else they are hidden. */
const STRAY_JOINER = /(?:^|[^\u0980-\u09ff])[\u200c\u200d]/;
const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

function invisibleDetail(written: string): string | undefined {
  if (DIRECTION.test(written)) return 'direction_marks';
  return INVISIBLE.test(written) || STRAY_JOINER.test(written) ? 'zero_width' : undefined;
}

/** A character that folding keeps: anything but white space and what shows nothing. */
const KEPT = /[^\s\u0085\u00ad\u200b-\u200f\u2060\ufeff]/g;

/**
 * The raw text without what the payer wrote. Folding replaces no character by several, so those that it keeps are
 * counted.
 */
function withoutPayerText({ message, line, payerText: [from, to] }: Writing): string {
  if (from === to) return message;
  const kept = [...message.matchAll(KEPT)].map(({ index }) => index);
  const before = line.slice(0, from).match(KEPT)?.length ?? 0;
  const after = line.slice(to).match(KEPT)?.length ?? 0;
  const head = message.slice(0, (kept[before - 1] ?? -1) + 1);
  const tail = message.slice(kept[kept.length - after] ?? message.length);
  return `${head} ${tail}`;
}

/**
 * Letters that look like those of a label or an id. The accented letters of the SMS alphabet itself are not among them.
 */
const SCRIPTS: readonly (readonly [detail: string, letters: RegExp])[] = [
  ['cyrillic', /\p{Script=Cyrillic}/u],
  ['greek', /\p{Script=Greek}/u],
  ['fullwidth', /[\uff01-\uff5e]/],
  ['mathematical', /[\u{1d400}-\u{1d7ff}]/u],
  ['accented', /(?![éèùìòÇØøÅåÆæßÉÄÖÑÜäöñüà])[\u00c0-\u02af\u1d00-\u1dbf\u1e00-\u1eff\u212a\u212b]/],
  ['other_script', /(?![\p{Script=Latin}\p{Script=Bengali}])\p{Letter}/u],
];
/** Digits of two scripts in one number: a Bangla 4 looks like an 8. Example: "৪00.00" */
const MIXED_DIGITS = /[0-9][.,]?[\u09e6-\u09ef]|[\u09e6-\u09ef][.,]?[0-9]/;

function lookalikeDetail(written: string): string | undefined {
  const script = SCRIPTS.find(([, letters]) => letters.test(written))?.[0];
  return script ?? (MIXED_DIGITS.test(written) ? 'mixed_digits' : undefined);
}

/** A mobile number of Bangladesh as people write it. Example: "+880 1711-000999" */
const MOBILE = /(?<!\d)(?:\+?88[ -]?0?|0)[ -]?1[ -]?[3-9](?:[ .-]?\d){8}(?!\d)/;

function contentDetail(wallet: Wallet, advert: string): string | undefined {
  if (advert.length < SHORTEST_ADVERT) return undefined;
  if (MAY_LINK.test(advert)) {
    const hosts = advert.split(BETWEEN_WORDS).flatMap((word) => hostOf(word) ?? []);
    if (hosts.some((host) => OWN_HOSTS[wallet]?.test(host) !== true)) return 'link';
  }
  return MOBILE.test(advert) ? 'phone_number' : undefined;
}

/** Nearly every text ends with its time, or a full stop after it. Example: "a.io" */
const SHORTEST_ADVERT = 4;
/** Most texts hold no advertising, and most advertising no dot before another character. */
const MAY_LINK = /:\/\/|\.[^ .]/;
const BETWEEN_WORDS = /[\s,;()<>[\]"'!|]+/;
/** Hosts of the providers themselves. Example: "bKa.sh", "www.nagad.com.bd" */
const OWN_HOSTS: Readonly<Partial<Record<Wallet, RegExp>>> = {
  BKASH: /^(?:[a-z0-9-]{1,60}\.)?(?:bka\.sh|bkash\.com)$/i,
  NAGAD: /^(?:[a-z0-9-]{1,60}\.)?(?:nagad\.io|nagad\.com\.bd)$/i,
  ROCKET: /^bit\.ly$/i,
};
/** A name of a host. Example: "evil.example", not "13.95" of "13.95/thousand". */
const HOST = /^(?:[\p{L}\p{N}-]{1,63}\.){1,5}(\p{L}{2,24})$/u;
/**
 * Ends of hosts that are followed by no path. Words of a language are among them, so not at the beginning of a
 * sentence: "korun.To".
 */
const TOP_LEVEL =
  /^(?:com|net|org|info|biz|xyz|top|site|online|shop|club|app|link|live|me|ly|io|co|cc|to|gl|bd|in|ru|cn|example)$/i;
const NO_WORD = /^(?:com|net|org|info|biz|xyz)$/i;
const IP_ADDRESS = /^\d{1,3}(?:\.\d{1,3}){3}$/;

/** The host that a phone would open for this word; undefined if it is not a URL. The part before an @ is not a host. */
function hostOf(word: string): string | undefined {
  const schemeAt = word.indexOf('://');
  const address = schemeAt < 0 ? word.replace(/^[^\p{L}\p{N}]+/u, '') : word.slice(schemeAt + 3);
  const [authority = ''] = address.split(/[/?#\\]/, 1);
  const host = authority
    .slice(authority.lastIndexOf('@') + 1)
    .replace(/:\d{0,5}$/, '')
    .replace(/[^\p{L}\p{N}]+$/u, '');
  if (schemeAt >= 0 || IP_ADDRESS.test(host)) return host;
  const last = HOST.exec(host)?.[1];
  if (last === undefined) return undefined;
  const beginsSentence = /^\p{Lu}\p{Ll}/u.test(last) && !NO_WORD.test(last);
  const hasPath = authority.length < address.length;
  return !beginsSentence && (hasPath || /^www\./i.test(host) || TOP_LEVEL.test(last)) ? host : undefined;
}

/** Differences of a parsed text from the provider's wording, caused by transports or forgers. */
export function signalsOfGrammar(wallet: Wallet, frame: string): SmsSignal[] {
  if (wallet !== 'NAGAD') return bkashDeviations(frame);
  return [...signal('line_breaks', LOST_LINE_BREAK.test(frame) ? 'missing' : undefined), ...nagadDeviations(frame)];
}

/** Balance and date run together, so where one ends is a guess. Example: "Balance: Tk 110060.8121/01/2023" */
const LOST_LINE_BREAK = /[^ \n](?:Amount|Amt|Sender|Customer|Ref|TxnID|Comm|Balance|Bal):|\.\d\d\d\d\//;

function grammar(detail: string, isFound: boolean): SmsSignal[] {
  return isFound ? [{ name: 'grammar', detail }] : [];
}

function bkashDeviations(frame: string): SmsSignal[] {
  return [
    ...grammar('thousands_commas', /Tk \d{4,}\.\d\d/.test(frame)),
    ...grammar('spacing', /\.(?:Fee|Balance|TrxID) /.test(frame)),
  ];
}

function nagadDeviations(frame: string): SmsSignal[] {
  return [
    ...grammar('thousands_commas', /Tk ?\d{1,3},\d/.test(frame)),
    ...grammar('spacing', /[A-Za-z]:[^ ]|Tk\d/.test(frame)),
  ];
}

/** A text without case, spaces and punctuation. */
function lettersAndDigits(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, '');
}

const NEAR_MISSES = [
  /^youhavereceived(?:payment)?tk\d{1,15}from[0-9x]{4,11}.{0,600}balancetk\d{1,15}trxid/,
  /^cashouttk\d{1,15}from[0-9x]{4,11}successful.{0,100}balancetk\d{1,15}trxid/,
  /^(?:money|payment|cashout)receivedam(?:oun)?ttk\d{1,15}(?:sender|customer)[0-9x]{4,11}.{0,600}txnid/,
] as const;

/** An unparsed text that has the same words in the same order as a parsable one. */
export function signalsOfNearMiss({ line }: FoldedText): SmsSignal[] {
  const left = lettersAndDigits(line);
  return NEAR_MISSES.some((pattern) => pattern.test(left)) ? [{ name: 'grammar', detail: 'near_miss' }] : [];
}
