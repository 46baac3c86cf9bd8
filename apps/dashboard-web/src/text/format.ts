export type Language = 'en' | 'bn';

const LOCALES: Readonly<Record<Language, string>> = { en: 'en-IN', bn: 'bn-BD' };
const DHAKA = 'Asia/Dhaka';

/** One formatter per language, made once: making one takes much longer than its use. */
function inEach<Format>(make: (locale: string, language: Language) => Format): Readonly<Record<Language, Format>> {
  return { en: make(LOCALES.en, 'en'), bn: make(LOCALES.bn, 'bn') };
}
const numbers = (options?: Intl.NumberFormatOptions) => inEach((locale) => new Intl.NumberFormat(locale, options));
const WHOLE = numbers();
const TENTHS = numbers({ maximumFractionDigits: 1 });
const HUNDREDTHS = numbers({ maximumFractionDigits: 2 });
const PERCENT = numbers({ style: 'percent', maximumFractionDigits: 1 });

/** "1234567.5" is Tk 12,34,567.50: whole poisha, lakh grouping, never through a floating-point number, on one line. */
export function money(amount: string, language: Language): string {
  const sign = amount.startsWith('-') ? '-' : '';
  const [whole = '0', fraction = ''] = amount.slice(sign.length).split('.');
  const grouped = WHOLE[language].format(BigInt(whole));
  const poisha = digits(fraction.padEnd(2, '0').slice(0, 2), language);
  return language === 'bn' ? `${sign}৳${grouped}.${poisha}` : `${sign}Tk\u00a0${grouped}.${poisha}`;
}

export function count(value: number, language: Language): string {
  return WHOLE[language].format(value);
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

const SECONDS = { day: 'numeric', month: 'short', year: 'numeric', minute: '2-digit', second: '2-digit' } as const;
const IN_DHAKA = inEach(
  (locale, language) => new Intl.DateTimeFormat(locale, { timeZone: DHAKA, ...SECONDS, ...CLOCKS[language] }),
);

/** "23 Nov 2026, 11:02:07 am", in the time of Dhaka. */
export function dateTime(instant: string, language: Language): string {
  return IN_DHAKA[language].format(new Date(instant));
}

const calendar = (options: Intl.DateTimeFormatOptions) =>
  inEach((locale) => new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }));
const DAY = calendar({ day: 'numeric', month: 'long', year: 'numeric' });
const WEEKDAY = calendar({ weekday: 'long' });

/** "23 November 2026" for the calendar day "2026-11-23". */
export function day(date: string, language: Language): string {
  return DAY[language].format(new Date(date));
}

/** "Monday" for the calendar day "2026-11-23". */
export function weekday(date: string, language: Language): string {
  return WEEKDAY[language].format(new Date(date));
}

const HOUR = new Intl.DateTimeFormat(LOCALES.en, { hour: 'numeric', hour12: true, timeZone: 'UTC' });

/** "3 pm" for 15; "১৫:০০" in Bangla, which would mix in Latin letters. */
export function hour(number: number, language: Language): string {
  if (language === 'bn') return digits(`${number}:00`, language);
  return HOUR.format(new Date(Date.UTC(2026, 0, 1, number)));
}

/** "0.4": at most one decimal. */
export function decimal(value: number, language: Language): string {
  return TENTHS[language].format(value);
}

/** "0.04" or "1.3": a time that is not zero is never shown as zero. */
export function seconds(value: number, language: Language): string {
  const shown = value > 0 ? Math.max(value, 0.01) : value;
  return (value < 1 ? HUNDREDTHS : TENTHS)[language].format(shown);
}

/** "97.5%" for 0.975; never 100% for less than all. */
export function percent(share: number, language: Language): string {
  const rounded = Math.floor(share * 1_000) / 1_000;
  return PERCENT[language].format(rounded);
}

const HERE = inEach(
  (locale, language) => new Intl.DateTimeFormat(locale, { ...SECONDS, timeZoneName: 'short', ...CLOCKS[language] }),
);

/** The same instant in the time zone of this browser, or undefined if that is the time of Dhaka. */
export function localTime(instant: string, language: Language): string | undefined {
  if (HERE[language].resolvedOptions().timeZone === DHAKA) return undefined;
  return HERE[language].format(new Date(instant));
}

const STEPS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];

const RELATIVE = inEach((locale) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }));

/** "5 minutes ago". */
export function ago(instant: string, now: Date, language: Language): string {
  const seconds = Math.round((new Date(instant).getTime() - now.getTime()) / 1_000);
  const [unit, size] = STEPS.find(([, least]) => Math.abs(seconds) >= least) ?? ['second', 1];
  return RELATIVE[language].format(Math.trunc(seconds / size), unit);
}
