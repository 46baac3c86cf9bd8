import { count, type Language } from './format';

/** What the pages call the fields of requests that a person fills in. */
export const FIELD_NAMES: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  amount: { en: 'Amount', bn: 'টাকা' },
  balance: { en: 'Balance', bn: 'ব্যালেন্স' },
  code: { en: 'Code', bn: 'কোড' },
  colour: { en: 'Colour', bn: 'রং' },
  currentPassword: { en: 'Current password', bn: 'বর্তমান পাসওয়ার্ড' },
  customerReference: { en: 'Reference', bn: 'রেফারেন্স' },
  dailyAmount: { en: 'Amount per day', bn: 'দৈনিক টাকা' },
  dailyCount: { en: 'Payments per day', bn: 'দৈনিক পেমেন্ট সংখ্যা' },
  email: { en: 'E-mail', bn: 'ইমেইল' },
  expiresAt: { en: 'Expiry', bn: 'মেয়াদ শেষ' },
  fee: { en: 'Fee', bn: 'ফি' },
  label: { en: 'Label', bn: 'নাম' },
  logo: { en: 'Logo', bn: 'লোগো' },
  message: { en: 'Text of the SMS', bn: 'এসএমএসের লেখা' },
  monthlyAmount: { en: 'Amount per month', bn: 'মাসিক টাকা' },
  msisdn: { en: 'Wallet number', bn: 'ওয়ালেট নম্বর' },
  name: { en: 'Name', bn: 'নাম' },
  newPassword: { en: 'New password', bn: 'নতুন পাসওয়ার্ড' },
  password: { en: 'Password', bn: 'পাসওয়ার্ড' },
  paymentIntentId: { en: 'Intent id', bn: 'ইনটেন্ট আইডি' },
  phone: { en: 'Phone', bn: 'ফোন' },
  reason: { en: 'Reason', bn: 'কারণ' },
  receiverMsisdn: { en: 'Receiving number', bn: 'গ্রহণকারী নম্বর' },
  responseDelaySeconds: { en: 'Seconds until the answer', bn: 'কত সেকেন্ড পরে উত্তর' },
  responseStatus: { en: 'Status of the answer', bn: 'উত্তরের স্ট্যাটাস' },
  reviewOlderThanHours: { en: 'Age in hours', bn: 'কত ঘণ্টার পুরোনো' },
  sender: { en: 'Sender of the SMS', bn: 'এসএমএসের প্রেরক' },
  senderMsisdn: { en: 'Number of the payer', bn: 'প্রেরকের নম্বর' },
  signingSecret: { en: 'Signing secret', bn: 'স্বাক্ষরের সিক্রেট' },
  since: { en: 'Start', bn: 'শুরুর সময়' },
  successUrl: { en: 'Success page', bn: 'সফলতার পাতা' },
  to: { en: 'Time', bn: 'সময়' },
  token: { en: 'Invitation', bn: 'আমন্ত্রণ' },
  trxId: { en: 'TrxID', bn: 'TrxID' },
  url: { en: 'URL', bn: 'URL' },
  website: { en: 'Website', bn: 'ওয়েবসাইট' },
};

/** Bangla texts by the wording of the API. The first match is used, so more specific patterns come first. */
const RULES_IN_BANGLA: readonly (readonly [rule: RegExp, text: (number: string) => string])[] = [
  [/e-mail address/, () => 'সঠিক ই-মেইল ঠিকানা দিন।'],
  [/amount in BDT|two decimals|decimal string/, () => 'টাকার পরিমাণ দিন, যেমন 500 বা 500.50।'],
  [/mobile number/, () => 'বাংলাদেশের একটি মোবাইল নম্বর দিন, যেমন 01712345678।'],
  [/phone number/, () => 'একটি ফোন নম্বর দিন, যেমন +880 9600-000000।'],
  [/6 digits/, () => '৬ অঙ্কের কোড দিন।'],
  [/whole number/, () => 'একটি পূর্ণ সংখ্যা দিন।'],
  [/absolute https URL/, () => 'https:// দিয়ে শুরু হওয়া পুরো URL দিন।'],
  [/absolute http or https URL/, () => 'http:// বা https:// দিয়ে শুরু হওয়া পুরো URL দিন।'],
  [/at least (\d+) characters/, (number) => `অন্তত ${number} অক্ষর দিন।`],
  [/at most (\d+) characters/, (number) => `সর্বোচ্চ ${number} অক্ষর দেওয়া যায়।`],
  [/at least (\d+)$/, (number) => `${number} বা তার বেশি দিন।`],
  [/at most (\d+)$/, (number) => `${number} বা তার কম দিন।`],
  [/is required|must not be empty/, () => 'এটি দিতে হবে।'],
  [/must not contain/, () => 'এতে এমন অক্ষর আছে যা দেওয়া যায় না।'],
  [/(?:)/, () => 'মানটি ঠিক নেই।'],
];

/** An error of the API about one field, with the name that the pages give it; undefined if they do not have it. */
export function validationText(message: string, language: Language): string | undefined {
  const [, field = '', colon = '', rule = ''] = /^(?:[\w[\]]+\.)*(\w+)(:?) (.*)$/s.exec(message) ?? [];
  const name = Object.hasOwn(FIELD_NAMES, field) ? FIELD_NAMES[field] : undefined;
  if (name === undefined) return undefined;
  if (language === 'en') return `${name.en}${colon} ${rule}${rule.endsWith('.') ? '' : '.'}`;
  for (const [pattern, text] of RULES_IN_BANGLA) {
    const found = pattern.exec(rule);
    if (found) return `${name.bn}: ${text(count(Number(found[1] ?? 0), 'bn'))}`;
  }
  return undefined;
}
