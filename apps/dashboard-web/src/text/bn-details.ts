import type { RefusalDetail } from '@pay/contracts';
import { outcomeText } from './outcomes';

/** Messages of the API that are more specific than an error code. */
export const details: Readonly<Record<RefusalDetail, string>> = {
  'since must not be in the future': 'শুরুর সময়টি ভবিষ্যতে হতে পারবে না।',
  'to: a test clock only moves forward.': 'পরীক্ষার ঘড়ি শুধু সামনে এগোয়। এখনকার চেয়ে পরের একটি সময় দিন।',
  'to: must be at most 30 days in the future.': 'সময়টি আজ থেকে সর্বোচ্চ ৩০ দিন পরের হতে পারে।',
  'expiresAt: the expiry must be in the future': 'মেয়াদ শেষের সময়টি ভবিষ্যতে হতে হবে।',
  'password must not be the e-mail address': 'পাসওয়ার্ড আপনার ই-মেইল ঠিকানা হতে পারবে না।',
  'password must not be one of the most common passwords': 'পাসওয়ার্ডটি খুব প্রচলিত। অন্য একটি দিন।',
  'newPassword must differ from the current password': 'নতুন পাসওয়ার্ড বর্তমান পাসওয়ার্ড থেকে আলাদা হতে হবে।',
  'newPassword must not be the e-mail address': 'নতুন পাসওয়ার্ড আপনার ই-মেইল ঠিকানা হতে পারবে না।',
  'newPassword must not be one of the most common passwords': 'নতুন পাসওয়ার্ডটি খুব প্রচলিত। অন্য একটি দিন।',
  'assigneeId: must be a person of the merchant who may decide':
    'ব্যতিক্রমটি শুধু এই মার্চেন্টের এমন কাউকে দেওয়া যায়, যিনি সিদ্ধান্ত নিতে পারেন।',
  'sims: <id> is no receiver account of this merchant and environment':
    'এই মার্চেন্ট ও পরিবেশে <id> আইডির কোনো গ্রহণকারী নম্বর নেই।',
  'The endpoint could not be asked: <outcome>.': 'এন্ডপয়েন্টে পৌঁছানো যায়নি: <outcome>।',
  'The endpoint answered <status> with <response>; expected 2xx with {"challenge": "..."} as it was sent.':
    'এন্ডপয়েন্টের উত্তর <status>: <response>। 2xx-এর সঙ্গে পাঠানো {"challenge": "..."} ফেরত আসার কথা ছিল।',
  'The URL of the endpoint was changed during the verification. Verify it again.':
    'যাচাই চলার সময় এন্ডপয়েন্টের URL বদলানো হয়েছে। আবার যাচাই করুন।',
  'The hosted test endpoint was refused: <answer>': 'পরীক্ষার এন্ডপয়েন্ট নিবন্ধন করা যায়নি: <answer>',
  'The hosted test endpoint was not verified: <answer>': 'পরীক্ষার এন্ডপয়েন্ট যাচাই করা যায়নি: <answer>',
  'url must be at most <most> characters': 'URL সর্বোচ্চ <most> অক্ষরের হতে পারে।',
  'url must be an absolute http or https URL': 'http:// বা https:// দিয়ে শুরু হওয়া পুরো URL দিন।',
  'url must use https for LIVE endpoints': 'LIVE এন্ডপয়েন্টের URL https দিয়ে শুরু হতে হবে।',
  'url must not contain user info': 'URL-এ ব্যবহারকারীর নাম বা পাসওয়ার্ড থাকতে পারবে না।',
  'url must not contain a fragment': 'URL-এ # থাকতে পারবে না।',
  'url must use port 80, 443 or one from 1024 up': 'URL-এর পোর্ট 80, 443 বা 1024 থেকে উপরের হতে হবে।',
  'url must point to a public address': 'URL-টি ইন্টারনেটের কোনো উন্মুক্ত ঠিকানার হতে হবে।',
};

const VALUE = /<(\w+)>/g;

/** The Bangla sentence for one of the API; undefined if it is not known. */
export function detailText(message: string): string | undefined {
  for (const [sentence, text] of Object.entries(details)) {
    const names = [...sentence.matchAll(VALUE)].map(([, name = '']) => name);
    const pattern = sentence.split(/<\w+>/).map((part) => part.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&'));
    const [, ...values] = new RegExp(`^${pattern.join('(.*?)')}$`, 's').exec(message) ?? [];
    if (values.length === names.length && (names.length > 0 || sentence === message))
      return text.replace(VALUE, (_, name: string) => valueText(name, values[names.indexOf(name)] ?? ''));
  }
  return undefined;
}

/** A value of a sentence: another sentence of the API, how a request failed, or data that stay as they are. */
function valueText(name: string, value: string): string {
  if (name === 'outcome') return outcomeText(value, 'bn');
  return name === 'answer' ? (detailText(value) ?? value) : value;
}
