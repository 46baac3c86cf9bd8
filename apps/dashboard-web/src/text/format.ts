export type Language = 'en' | 'bn';

const LOCALES: Readonly<Record<Language, string>> = { en: 'en-IN', bn: 'bn-BD' };
const DHAKA = 'Asia/Dhaka';

/** "1234567.5" is Tk 12,34,567.50: whole poisha, lakh grouping, never through a floating-point number, on one line. */
export function money(amount: string, language: Language): string {
  const sign = amount.startsWith('-') ? '-' : '';
  const [whole = '0', fraction = ''] = amount.slice(sign.length).split('.');
  const grouped = new Intl.NumberFormat(LOCALES[language]).format(BigInt(whole));
  const poisha = digits(fraction.padEnd(2, '0').slice(0, 2), language);
  return language === 'bn' ? `${sign}৳${grouped}.${poisha}` : `${sign}Tk\u00a0${grouped}.${poisha}`;
}

export function count(value: number, language: Language): string {
  return new Intl.NumberFormat(LOCALES[language]).format(value);
}

/** The same digits in Bangla script. Identifiers such as TrxIDs are never converted. */
export function digits(text: string, language: Language): string {
  return language === 'bn' ? text.replace(/\d/g, (digit) => String.fromCharCode(0x09e6 + Number(digit))) : text;
}

/** Bangla counts hours from 0 to 23, because Bangla locales write AM and PM in Latin letters. */
const CLOCKS = {
  en: { hour: 'numeric', hour12: true },
  bn: { hour: '2-digit', hourCycle: 'h23' },
} as const satisfies Readonly<Record<Language, Intl.DateTimeFormatOptions>>;

/** "23 Nov 2026, 11:02:07 am", in the time of Dhaka. */
export function dateTime(instant: string, language: Language): string {
  return new Intl.DateTimeFormat(LOCALES[language], {
    timeZone: DHAKA,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    minute: '2-digit',
    second: '2-digit',
    ...CLOCKS[language],
  }).format(new Date(instant));
}

/** "23 November 2026" for the calendar day "2026-11-23". */
export function day(date: string, language: Language): string {
  return calendarDay(date, language, { day: 'numeric', month: 'long', year: 'numeric' });
}

/** "Monday" for the calendar day "2026-11-23". */
export function weekday(date: string, language: Language): string {
  return calendarDay(date, language, { weekday: 'long' });
}

function calendarDay(date: string, language: Language, format: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(LOCALES[language], { ...format, timeZone: 'UTC' }).format(new Date(date));
}

/** "3 pm" for 15; "১৫:০০" in Bangla, which would mix in Latin letters. */
export function hour(number: number, language: Language): string {
  if (language === 'bn') return digits(`${number}:00`, language);
  const time = new Intl.DateTimeFormat(LOCALES[language], { hour: 'numeric', hour12: true, timeZone: 'UTC' });
  return time.format(new Date(Date.UTC(2026, 0, 1, number)));
}

/** "0.4": at most one decimal. */
export function decimal(value: number, language: Language): string {
  return new Intl.NumberFormat(LOCALES[language], { maximumFractionDigits: 1 }).format(value);
}

/** "0.04" or "1.3": a time that is not zero is never shown as zero. */
export function seconds(value: number, language: Language): string {
  const maximumFractionDigits = value < 1 ? 2 : 1;
  const shown = value > 0 ? Math.max(value, 0.01) : value;
  return new Intl.NumberFormat(LOCALES[language], { maximumFractionDigits }).format(shown);
}

/** "97.5%" for 0.975; never 100% for less than all. */
export function percent(share: number, language: Language): string {
  const rounded = Math.floor(share * 1_000) / 1_000;
  return new Intl.NumberFormat(LOCALES[language], { style: 'percent', maximumFractionDigits: 1 }).format(rounded);
}

/** The same instant in the time zone of this browser, or undefined if that is the time of Dhaka. */
export function localTime(instant: string, language: Language): string | undefined {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (zone === DHAKA) return undefined;
  const format = new Intl.DateTimeFormat(LOCALES[language], {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZoneName: 'short',
    minute: '2-digit',
    second: '2-digit',
    ...CLOCKS[language],
  });
  return format.format(new Date(instant));
}

const STEPS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];

/** "5 minutes ago". */
export function ago(instant: string, now: Date, language: Language): string {
  const seconds = Math.round((new Date(instant).getTime() - now.getTime()) / 1_000);
  const [unit, size] = STEPS.find(([, least]) => Math.abs(seconds) >= least) ?? ['second', 1];
  return new Intl.RelativeTimeFormat(LOCALES[language], { numeric: 'auto' }).format(Math.trunc(seconds / size), unit);
}
