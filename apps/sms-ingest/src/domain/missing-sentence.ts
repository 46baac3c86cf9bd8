import { formatAmount, minuteInDhaka } from '@pay/contracts';

export interface MissingMoney {
  readonly direction: 'IN' | 'OUT';
  readonly amount: bigint;
  readonly msisdn: string;
  readonly from: Date;
  readonly to: Date;
  readonly isExplained: boolean;
}

/**
 * Example: "Tk 500 reached 01700000001 between 10:02 and 10:09 and no SMS came". Times of Bangladesh; the date, where
 * the night lies between.
 */
export function missingSentence({ direction, amount, msisdn, from, to, isExplained }: MissingMoney): string {
  const verb = direction === 'IN' ? 'reached' : 'left';
  const [begin, end] = [dhaka(from), dhaka(to)];
  const sameDay = begin.day === end.day;
  const when =
    sameDay && begin.time === end.time
      ? `at ${begin.time}`
      : `between ${sameDay ? begin.time : `${begin.time} on ${begin.day}`} and ${sameDay ? end.time : `${end.time} on ${end.day}`}`;
  return `Tk ${withCommas(formatAmount(amount))} ${verb} ${msisdn} ${when} and ${isExplained ? 'its SMS came late' : 'no SMS came'}`;
}

function withCommas(amount: string): string {
  return amount.replace(/\B(?<!\.\d*)(?=(?:\d{3})+(?!\d))/g, ',');
}

/** Example: { day: "21/11/2026", time: "10:02" } */
function dhaka(at: Date): { readonly day: string; readonly time: string } {
  const [day = '', time = ''] = minuteInDhaka(at).split(' ');
  return { day, time };
}
