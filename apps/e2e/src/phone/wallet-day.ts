import { dhakaMinute } from '../wallet-texts';
import type { Random } from './random';

export type AccountType = 'PERSONAL' | 'MERCHANT' | 'AGENT';

/** One SIM of the phone. */
export interface Wallet {
  readonly provider: 'BKASH' | 'NAGAD';
  readonly accountType: AccountType;
  /** Number of the shop: 01 and nine digits. */
  readonly msisdn: string;
  /** Starts at 1. */
  readonly simSlot: number;
}

/** As the provider writes it. Amounts in poisha. */
export interface WalletText {
  readonly kind: string;
  readonly sender: string;
  readonly text: string;
  /** Change of the balance: positive, negative or 0. */
  readonly effect: number;
  /** Null if the text shows no balance. */
  readonly balance: number | null;
}

const DIGITS = '0123456789';
const BASE36 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const DHAKA_OFFSET_MS = 6 * 3_600_000;
/** A known value of Nagad's global payment counter, and its growth. */
const NAGAD_COUNTER = { at: Date.UTC(2026, 8, 28), value: parseInt('760VVGGW', 36), perSecond: 130 };
const REFERENCES = ['Karim', '12356', 'tea 2 cups', 'Loan on 3 feb', 'jazakallah vai', 'INV-77', 'rent'];

/** The balance follows from the calls. Each call is one event at a minute of the day. */
export function openWallet(wallet: Wallet, openingBalance: number, random: Random) {
  let balance = openingBalance;
  let counter = 0;

  const number = () => `01${random.pick(['3', '5', '6', '7', '8', '9'])}${random.text(DIGITS, 8)}`;
  const taka = (amount: number, commas: boolean) => {
    const whole = String(Math.floor(amount / 100));
    const cents = String(amount % 100).padStart(2, '0');
    return `${commas ? whole.replace(/\B(?=(\d{3})+$)/g, ',') : whole}.${cents}`;
  };
  const bkash = (amount: number) => taka(amount, true);
  const nagad = (amount: number) => taka(amount, false);

  /** bKash: date code and seven characters. Nagad: a base-36 counter that grows with time. */
  const trxId = (at: Date): string => {
    counter += 1;
    if (wallet.provider === 'NAGAD') {
      const seconds = Math.floor((at.getTime() - NAGAD_COUNTER.at) / 1_000);
      return (NAGAD_COUNTER.value + seconds * NAGAD_COUNTER.perSecond + counter).toString(36).toUpperCase();
    }
    const local = new Date(at.getTime() + DHAKA_OFFSET_MS);
    const code = [local.getUTCFullYear() - 2013, 10 + local.getUTCMonth(), local.getUTCDate()];
    return code.map((place) => BASE36[place] ?? '0').join('') + random.text(BASE36, 7);
  };

  const bkashTail = (at: Date, fee: number | null) =>
    `${fee === null ? '' : `Fee Tk ${bkash(fee)}. `}Balance Tk ${bkash(balance)}. TrxID ${trxId(at)} at ${dhakaMinute(at)}`;

  const nagadText = (title: string, lines: readonly string[], at: Date) =>
    [title, ...lines, `Balance: Tk ${nagad(balance)}`, dhakaMinute(at)].join('\n');

  const moved = (kind: string, effect: number, write: () => string): WalletText => {
    balance += effect;
    return { kind, effect, text: write(), balance, sender: wallet.provider === 'BKASH' ? 'bKash' : 'NAGAD' };
  };

  /** A text about no money of this wallet. */
  const otherText = (kind: string, sender: string, text: string): WalletText => ({
    kind,
    sender,
    text,
    effect: 0,
    balance: null,
  });

  return {
    balance: () => balance,

    /** The text of a customer's payment, in the form of this kind of wallet. */
    customerPays(at: Date, amount: number, reference: string | null = random.pick([null, ...REFERENCES])): WalletText {
      const from = number();
      const { provider, accountType } = wallet;
      if (provider === 'BKASH') {
        const clause = reference === null ? '' : `Ref ${reference}. `;
        if (accountType === 'AGENT') {
          return moved('CASH_OUT_RECEIVED', amount, () => {
            return `Cash Out Tk ${bkash(amount)} from ${from} successful. ${bkashTail(at, 0)}`;
          });
        }
        const masked = accountType === 'MERCHANT' ? `${from.slice(0, 4)}XXXX${from.slice(-3)}` : from;
        const payment = accountType === 'MERCHANT' ? 'payment ' : '';
        return moved(accountType === 'MERCHANT' ? 'PAYMENT_RECEIVED' : 'SEND_MONEY_RECEIVED', amount, () => {
          return `You have received ${payment}Tk ${bkash(amount)} from ${masked}. ${clause}${bkashTail(at, 0)}`;
        });
      }
      if (accountType === 'PERSONAL') {
        const lines = () => [`Amount: Tk ${nagad(amount)}`, `Sender: ${from}`, `Ref: ${reference ?? 'N/A'}`];
        return moved('SEND_MONEY_RECEIVED', amount, () =>
          nagadText('Money Received.', [...lines(), `TxnID: ${trxId(at)}`], at),
        );
      }
      const lines = () => [`Amount: Tk ${nagad(amount)}`, `Customer: ${from}`, `TxnID: ${trxId(at)}`];
      if (accountType === 'MERCHANT') {
        return moved('PAYMENT_RECEIVED', amount, () => nagadText('Payment Received.', lines(), at));
      }
      // The commission of 0.41 % belongs to the agent. The text shows it, and it arrives with the money.
      const commission = Math.round(amount * 0.0041);
      return moved('CASH_OUT_RECEIVED', amount + commission, () =>
        nagadText('Cash Out Received.', [...lines(), `Comm: Tk ${nagad(commission)}`], at),
      );
    },

    /** The shop pays or withdraws money. Has no effect if the balance is too low. */
    shopSpends(at: Date, amount: number): WalletText | undefined {
      const isCashOut = random.chance(0.4);
      const fee = isCashOut ? Math.round(amount * 0.0185) : 500;
      if (balance < amount + fee) return undefined;
      const to = number();
      const kind = isCashOut ? 'CASH_OUT_SENT' : 'SEND_MONEY_SENT';
      if (wallet.provider === 'BKASH') {
        const head = isCashOut
          ? `Cash Out Tk ${bkash(amount)} to ${to} successful.`
          : `Send Money Tk ${bkash(amount)} to ${to} successful. Ref ${random.pick(REFERENCES)}.`;
        return moved(kind, -(amount + fee), () => `${head} ${bkashTail(at, fee)}`);
      }
      const title = isCashOut ? 'Cash Out Successful.' : 'Send Money Successful.';
      const lines = () => [`Amount: Tk ${nagad(amount)}`, `Receiver: ${to}`, 'Ref: N/A', `TxnID: ${trxId(at)}`];
      return moved(kind, -(amount + fee), () => nagadText(title, [...lines(), `Fee: Tk ${nagad(fee)}`], at));
    },

    /** Cash from an agent: incoming money that is no payment. */
    cashIn(at: Date, amount: number): WalletText {
      const from = number();
      if (wallet.provider === 'BKASH') {
        return moved('CASH_IN_RECEIVED', amount, () => {
          return `Cash In Tk ${bkash(amount)} from ${from} successful. ${bkashTail(at, 0)}. Download App: https://bKa.sh/8app`;
        });
      }
      // Nagad omits "Tk" before this balance.
      return moved('CASH_IN_RECEIVED', amount, () =>
        [
          'Cash In Received.',
          ...[`Amount: Tk ${nagad(amount)}`, `Uddokta: ${from}`, `TxnID: ${trxId(at)}`],
          ...[`Balance: ${nagad(balance)}`, dhakaMinute(at)],
        ].join('\n'),
      );
    },

    oneTimePassword(): WalletText {
      return wallet.provider === 'BKASH'
        ? otherText(
            'OTP',
            'bKash',
            `Your bKash verification code is ${random.text(DIGITS, 6)}. Do not share it with anyone.`,
          )
        : otherText('OTP', 'NAGAD', 'NEVER share your OTP or PIN with anyone. Nagad never asks for them.');
    },

    promotion(): WalletText {
      return wallet.provider === 'BKASH'
        ? otherText('PROMOTION', 'bKash Offer', 'Eid offer! 20% cashback offer on shopping, T&C apply.')
        : otherText('PROMOTION', 'NAGAD-OFFER', 'Congrats! Win a bike this week. T&C apply.');
    },

    /**
     * A forged text of an attacker who knows the sender name and the wording but not the balance. The wallet gets
     * nothing.
     */
    forged(at: Date, amount: number, reference: string | null = null): WalletText {
      const claimed = balance + amount + random.whole(1, 90_000) * 100;
      const from = number();
      const clause = reference === null ? '' : `Ref ${reference}. `;
      const text =
        wallet.provider === 'BKASH'
          ? `You have received Tk ${bkash(amount)} from ${from}. ${clause}Fee Tk 0.00. Balance Tk ${bkash(claimed)}. TrxID ${trxId(at)} at ${dhakaMinute(at)}`
          : [
              'Money Received.',
              ...[
                `Amount: Tk ${nagad(amount)}`,
                `Sender: ${from}`,
                `Ref: ${reference ?? 'N/A'}`,
                `TxnID: ${trxId(at)}`,
              ],
              ...[`Balance: Tk ${nagad(claimed)}`, dhakaMinute(at)],
            ].join('\n');
      const sender = wallet.provider === 'BKASH' ? 'bKash' : 'NAGAD';
      return { kind: 'FORGED', sender, text, effect: 0, balance: null };
    },
  };
}
