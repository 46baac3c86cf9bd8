import { inDhaka } from '@pay/contracts';
import type { Language } from './languages';

/** For display only. Values to enter elsewhere keep Latin digits. */
export function inDigits(language: Language, text: string): string {
  return language === 'bn' ? text.replace(/\d/g, (digit) => String.fromCharCode(0x09e6 + Number(digit))) : text;
}

/** Example: "1234567.5" becomes ৳১২,৩৪,৫৬৭.৫০ or Tk 12,34,567.50. */
export function formatTaka(language: Language, amount: string): string {
  const [whole = '0', poisha = ''] = amount.split('.');
  const grouped = whole.replace(/(\d)(?=(\d\d)*\d{3}$)/g, '$1,');
  const decimal = Number(poisha) === 0 ? grouped : `${grouped}.${poisha.padEnd(2, '0')}`;
  return language === 'bn' ? `৳${inDigits(language, decimal)}` : `Tk ${decimal}`;
}

/** The format that wallets accept. Examples: 1250.5 becomes 1250.50, 500 stays 500. */
export function typedAmount(amount: string): string {
  const [whole = '0', poisha = ''] = amount.split('.');
  return Number(poisha) === 0 ? whole : `${whole}.${poisha.padEnd(2, '0')}`;
}

/** Example: 4:59 for 299,500 ms. Shows hours from one hour on; never negative. */
export function formatCountdown(language: Language, ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const two = (count: number) => String(count % 60).padStart(2, '0');
  const hours = Math.floor(seconds / 3_600);
  const minutes = Math.floor(seconds / 60);
  return inDigits(language, hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`);
}

/** The time of day in Asia/Dhaka to the minute. Example: 10:42 PM. */
export function formatMinute(language: Language, at: string): string {
  const local = inDhaka(new Date(at));
  const hours = local.getUTCHours();
  const clock = `${hours % 12 === 0 ? 12 : hours % 12}:${String(local.getUTCMinutes()).padStart(2, '0')}`;
  if (language === 'en') return `${clock} ${hours < 12 ? 'AM' : 'PM'}`;
  return `${partOfDay(hours)} ${inDigits(language, clock)}`;
}

const MONTHS = {
  en: 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec',
  bn: 'জানুয়ারি ফেব্রুয়ারি মার্চ এপ্রিল মে জুন জুলাই আগস্ট সেপ্টেম্বর অক্টোবর নভেম্বর ডিসেম্বর',
};

/** Time in Asia/Dhaka. Example: 21 Nov 2026, 10:42 PM. */
export function formatMoment(language: Language, at: string): string {
  const local = inDhaka(new Date(at));
  const month = MONTHS[language].split(' ')[local.getUTCMonth()] ?? '';
  const day = inDigits(language, `${local.getUTCDate()} ${month} ${local.getUTCFullYear()}`);
  return `${day}, ${formatMinute(language, at)}`;
}

function partOfDay(hours: number): string {
  if (hours < 4 || hours >= 20) return 'রাত';
  if (hours < 6) return 'ভোর';
  if (hours < 12) return 'সকাল';
  if (hours < 15) return 'দুপুর';
  return hours < 18 ? 'বিকেল' : 'সন্ধ্যা';
}
