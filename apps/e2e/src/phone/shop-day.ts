import { seededRandom, type Random } from './random';
import { openWallet, type Wallet, type WalletText } from './wallet-day';

export interface InboxText extends WalletText {
  /** Stable, because apps send it as their message id. */
  readonly id: string;
  readonly wallet: Wallet;
  readonly happenedAt: Date;
  /** A few seconds after `happenedAt`. */
  readonly receivedAt: Date;
  /** In the inbox, but never forwarded, because the app was killed or the battery was empty. */
  readonly isLost: boolean;
}

/** Texts that are sent at the same time. Several after the phone was offline. */
export interface Delivery {
  readonly at: Date;
  readonly texts: readonly InboxText[];
  readonly isResend: boolean;
}

export interface DayOptions {
  readonly seed: number;
  readonly wallets: readonly Wallet[];
  /** Midnight in Dhaka. */
  readonly day: Date;
  /** Approximate number of texts. */
  readonly texts: number;
  /** Shares of texts that are never forwarded and that are sent twice, from 0 to 1. */
  readonly lost: number;
  readonly resent: number;
  readonly forged: number;
}

export interface ShopDay {
  /** In order of their events. */
  readonly inbox: readonly InboxText[];
  /** In order of sending. */
  readonly deliveries: readonly Delivery[];
}

/** Money that moved without a forwarded text, which a balance chain should detect. Amounts in poisha. */
export interface MissingMoney {
  readonly wallet: Wallet;
  /** Positive for incoming money: the sum of the lost texts between two forwarded ones. */
  readonly amount: number;
  /** The minutes of the texts before and after the gap. */
  readonly from: Date;
  readonly to: Date;
}

const HOUR = 3_600_000;
const MINUTE = 60_000;
const OPENS = 9 * HOUR;
const CLOSES = 22 * HOUR;
/** Without network. Texts are sent afterwards, newest first, like some forwarders do. */
const OFFLINE = { from: 13 * HOUR, to: 14.5 * HOUR };
/** A third of the payments of the day within ten minutes, like at iftar, a football match or on pay day. */
const BURST = { from: 18 * HOUR, to: 18 * HOUR + 10 * MINUTE, share: 1 / 3 };
const LONGEST_DELAY = 4 * MINUTE;

/** The same options give the same day. */
export function playDay(options: DayOptions): ShopDay {
  const random = seededRandom(options.seed);
  const inbox = happen(options, random);
  return { inbox, deliveries: forward(inbox, options, random) };
}

function happen(options: DayOptions, random: Random): InboxText[] {
  const wallets = options.wallets.map((wallet) => ({
    wallet,
    open: openWallet(wallet, random.whole(1_000, 60_000) * 100, random),
  }));
  const times = Array.from({ length: options.texts }, () =>
    random.chance(BURST.share) ? random.whole(BURST.from, BURST.to) : random.whole(OPENS, CLOSES),
  ).sort((one, other) => one - other);
  const forgeries = new Set(Array.from({ length: options.forged }, () => random.whole(5, times.length - 5)));

  const inbox: InboxText[] = [];
  times.forEach((time, index) => {
    const at = new Date(options.day.getTime() + time);
    const { wallet, open } = random.pick(wallets);
    const came = forgeries.has(index) ? open.forged(at, random.whole(5, 50) * 10_000) : draw(open, at, random);
    inbox.push({
      ...came,
      wallet,
      id: `sms-${options.seed}-${index}`,
      happenedAt: at,
      receivedAt: new Date(at.getTime() + random.whole(1, 9) * 1_000),
      isLost: came.kind !== 'FORGED' && random.chance(options.lost),
    });
  });
  return inbox;
}

function draw(open: ReturnType<typeof openWallet>, at: Date, random: Random): WalletText {
  const part = random.next();
  if (part < 0.03) return open.oneTimePassword();
  if (part < 0.06) return open.promotion();
  if (part < 0.1) return open.cashIn(at, random.whole(5, 40) * 10_000);
  if (part < 0.18) {
    const spent = open.shopSpends(at, random.whole(10, 200) * 10_000);
    if (spent !== undefined) return spent;
  }
  return open.customerPays(at, random.chance(0.8) ? random.whole(1, 50) * 5_000 : random.whole(1_000, 700_000));
}

function forward(inbox: readonly InboxText[], { day, resent }: DayOptions, random: Random): Delivery[] {
  const [offline, online] = [day.getTime() + OFFLINE.from, day.getTime() + OFFLINE.to];
  const kept = inbox.filter(({ isLost }) => !isLost);
  const whileOffline = kept.filter(({ receivedAt: at }) => at.getTime() >= offline && at.getTime() < online);
  const deliveries: Delivery[] = [];
  if (whileOffline.length > 0) {
    deliveries.push({ at: new Date(online), texts: whileOffline.toReversed(), isResend: false });
  }
  for (const text of kept) {
    if (whileOffline.includes(text)) continue;
    // Some texts wait for the network, so that later ones overtake them.
    const delay = random.chance(0.15) ? random.whole(5_000, LONGEST_DELAY) : random.whole(200, 1_500);
    deliveries.push({ at: new Date(text.receivedAt.getTime() + delay), texts: [text], isResend: false });
  }
  for (const text of kept.filter(() => random.chance(resent))) {
    const later = new Date(Math.max(text.receivedAt.getTime(), online) + random.whole(1, 120) * MINUTE);
    deliveries.push({ at: later, texts: [text], isResend: true });
  }
  return deliveries.sort((one, other) => one.at.getTime() - other.at.getTime());
}

/**
 * Gaps that lost texts leave in each wallet. Texts lost at the start or end leave no gap, nor do those whose sum is
 * zero.
 */
export function missingMoneyOf(inbox: readonly InboxText[]): MissingMoney[] {
  const wallets = [...new Set(inbox.map(({ wallet }) => wallet))];
  return wallets.flatMap((wallet) => {
    const received = inbox.filter((text) => text.wallet === wallet && text.balance !== null);
    const found: MissingMoney[] = [];
    let before: InboxText | undefined;
    let amount = 0;
    for (const text of received) {
      if (text.isLost) {
        amount += text.effect;
        continue;
      }
      if (before !== undefined && amount !== 0) {
        found.push({ wallet, amount, from: minuteOf(before), to: minuteOf(text) });
      }
      [before, amount] = [text, 0];
    }
    return found;
  });
}

/** The time in the provider's text, which has no seconds. */
export function minuteOf({ happenedAt }: InboxText): Date {
  return new Date(Math.floor(happenedAt.getTime() / MINUTE) * MINUTE);
}
