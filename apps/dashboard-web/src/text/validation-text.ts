import { count, type Language } from './format';
import { textIn, type Text } from './pairs';

/** What the pages call the fields of requests that a person fills in. */
export const FIELD_NAMES: Readonly<Record<string, Text>> = {
  amount: ['Amount', 'টাকা'],
  balance: ['Balance', 'ব্যালেন্স'],
  code: ['Code', 'কোড'],
  colour: ['Colour', 'রং'],
  currentPassword: ['Current password', 'বর্তমান পাসওয়ার্ড'],
  customerReference: ['Reference', 'রেফারেন্স'],
  dailyAmount: ['Amount per day', 'দৈনিক টাকা'],
  dailyCount: ['Payments per day', 'দৈনিক পেমেন্ট সংখ্যা'],
  email: ['E-mail', 'ইমেইল'],
  expiresAt: ['Expiry', 'মেয়াদ শেষ'],
  fee: ['Fee', 'ফি'],
  label: ['Label', 'নাম'],
  logo: ['Logo', 'লোগো'],
  message: ['Text of the SMS', 'এসএমএসের লেখা'],
  monthlyAmount: ['Amount per month', 'মাসিক টাকা'],
  msisdn: ['Wallet number', 'ওয়ালেট নম্বর'],
  name: ['Name', 'নাম'],
  newPassword: ['New password', 'নতুন পাসওয়ার্ড'],
  password: ['Password', 'পাসওয়ার্ড'],
  paymentIntentId: ['Intent id', 'ইনটেন্ট আইডি'],
  phone: ['Phone', 'ফোন'],
  reason: ['Reason', 'কারণ'],
  receiverMsisdn: ['Receiving number', 'গ্রহণকারী নম্বর'],
  responseDelaySeconds: ['Seconds until the answer', 'কত সেকেন্ড পরে উত্তর'],
  responseStatus: ['Status of the answer', 'উত্তরের স্ট্যাটাস'],
  reviewOlderThanHours: ['Age in hours', 'কত ঘণ্টার পুরোনো'],
  sender: ['Sender of the SMS', 'এসএমএসের প্রেরক'],
  senderMsisdn: ['Number of the payer', 'প্রেরকের নম্বর'],
  signingSecret: ['Signing secret', 'স্বাক্ষরের সিক্রেট'],
  since: ['Start', 'শুরুর সময়'],
  successUrl: ['Success page', 'সফলতার পাতা'],
  to: ['Time', 'সময়'],
  token: ['Invitation', 'আমন্ত্রণ'],
  trxId: ['TrxID', 'TrxID'],
  url: ['URL', 'URL'],
  website: ['Website', 'ওয়েবসাইট'],
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
  const names = Object.hasOwn(FIELD_NAMES, field) ? FIELD_NAMES[field] : undefined;
  if (names === undefined) return undefined;
  const name = textIn(names, language);
  if (language === 'en') return `${name}${colon} ${rule}${rule.endsWith('.') ? '' : '.'}`;
  for (const [pattern, text] of RULES_IN_BANGLA) {
    const found = pattern.exec(rule);
    if (found) return `${name}: ${text(count(Number(found[1] ?? 0), 'bn'))}`;
  }
  return undefined;
}
