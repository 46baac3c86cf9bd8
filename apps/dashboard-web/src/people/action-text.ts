import type { Language } from '../text/format';
import { textIn, type Each, type Text } from '../text/pairs';

type Texts = Readonly<Record<string, Text>>;

const SUBJECTS: Texts = {
  alert_settings: ['Alerts', 'সতর্কতা'],
  api_key: ['API key', 'API কী'],
  device: ['Phone', 'ফোন'],
  exception: ['Exception', 'যাচাই'],
  invitation: ['Invitation', 'আমন্ত্রণ'],
  merchant: ['Merchant', 'মার্চেন্ট'],
  number_proof: ['Proof of a number', 'নম্বরের প্রমাণ'],
  receiver_account: ['Receiving number', 'গ্রহণকারী নম্বর'],
  session: ['Session', 'সেশন'],
  sms: ['SMS', 'এসএমএস'],
  sms_event: ['SMS', 'এসএমএস'],
  sms_events: ['Several SMS', 'একাধিক এসএমএস'],
  test_clock: ['Test clock', 'টেস্ট ঘড়ি'],
  test_endpoint: ['Test endpoint', 'টেস্ট এন্ডপয়েন্ট'],
  test_suite: ['Test cases', 'টেস্ট কেস'],
  user: ['Person', 'ব্যক্তি'],
  webhook_endpoint: ['Endpoint', 'এন্ডপয়েন্ট'],
  webhook_delivery: ['Delivery', 'ডেলিভারি'],
};

const ACTS: Texts = {
  added: ['added', 'যোগ হয়েছে'],
  changed: ['changed', 'বদলেছে'],
  created: ['created', 'তৈরি হয়েছে'],
  deleted: ['deleted', 'মুছে ফেলা হয়েছে'],
  issued: ['created', 'তৈরি হয়েছে'],
  renamed: ['renamed', 'নাম বদলেছে'],
  revoked: ['revoked', 'বাতিল হয়েছে'],
  rotated: ['replaced', 'নতুন করা হয়েছে'],
  locked: ['locked', 'লক হয়েছে'],
  unlocked: ['unlocked', 'আনলক হয়েছে'],
  connected: ['connected', 'যুক্ত হয়েছে'],
  disabled: ['disabled', 'নিষ্ক্রিয় হয়েছে'],
  enabled: ['enabled', 'সক্রিয় হয়েছে'],
  paired: ['paired', 'পেয়ার হয়েছে'],
  verified: ['verified', 'যাচাই হয়েছে'],
  pairing_begun: ['pairing code shown', 'পেয়ারিং কোড দেখানো হয়েছে'],
  key_replaced: ['key replaced', 'কী বদলেছে'],
  receivers_attached: ['numbers connected', 'নম্বর যুক্ত হয়েছে'],
  hook_created: ['forwarder app added', 'ফরোয়ার্ডার অ্যাপ যোগ হয়েছে'],
  hook_deleted: ['forwarder app removed', 'ফরোয়ার্ডার অ্যাপ সরানো হয়েছে'],
  unsigned_texts_allowed: ['unsigned texts allowed', 'স্বাক্ষরহীন এসএমএস অনুমোদিত'],
  unsigned_texts_refused: ['unsigned texts refused', 'স্বাক্ষরহীন এসএমএস নিষিদ্ধ'],
  resolve: ['approve', 'অনুমোদন'],
  resolved: ['approved', 'অনুমোদিত'],
  link: ['link', 'যুক্ত করা'],
  linked: ['linked', 'যুক্ত'],
  reject: ['reject', 'বাতিল'],
  rejected: ['rejected', 'বাতিল হয়েছে'],
  refunded: ['closed as refunded', 'ফেরত দিয়ে বন্ধ'],
  'not-ours': ['close as not ours', 'আমাদের নয় বলে বন্ধ'],
  disowned: ['closed as not ours', 'আমাদের নয় বলে বন্ধ হয়েছে'],
  reopen: ['open again', 'আবার খোলা'],
  reopened: ['opened again', 'আবার খোলা হয়েছে'],
  assign: ['assign', 'দায়িত্ব দেওয়া'],
  assigned: ['assigned', 'দায়িত্ব দেওয়া হয়েছে'],
  accepted: ['accepted', 'গৃহীত'],
  requested: ['requested', 'চাওয়া হয়েছে'],
  code_sent: ['code sent', 'কোড পাঠানো হয়েছে'],
  proven: ['proven', 'প্রমাণিত'],
  number_lost: ['number proven by another merchant', 'অন্য মার্চেন্ট নম্বরটি প্রমাণ করেছে'],
  switched_on: ['switched on', 'চালু হয়েছে'],
  switched_off: ['switched off', 'বন্ধ হয়েছে'],
  reuse_detected: ['ended: its token was used twice', 'শেষ: টোকেন দুবার ব্যবহৃত'],
  simulated: ['simulated', 'সিমুলেট হয়েছে'],
  reparsed: ['parsed again', 'আবার পড়া হয়েছে'],
  reported: ['format reported', 'ফরম্যাট জানানো হয়েছে'],
  advanced: ['advanced', 'এগিয়েছে'],
  reset: ['reset', 'রিসেট হয়েছে'],
  provided: ['created', 'তৈরি হয়েছে'],
  started: ['started', 'শুরু হয়েছে'],
  joined: ['joined', 'যোগ দিয়েছেন'],
  deactivated: ['deactivated', 'নিষ্ক্রিয় হয়েছেন'],
  reactivated: ['reactivated', 'আবার সক্রিয়'],
  role_changed: ['role changed', 'ভূমিকা বদলেছে'],
  logged_in: ['logged in', 'লগ ইন করেছেন'],
  logged_out: ['logged out', 'লগ আউট করেছেন'],
  login_failed: ['log-in failed', 'লগ ইন ব্যর্থ'],
  login_limited: ['log-in limited', 'লগ ইন সীমিত'],
  merchant_switched: ['merchant switched', 'মার্চেন্ট বদলেছেন'],
  password_changed: ['password changed', 'পাসওয়ার্ড বদলেছে'],
  password_set: ['password set', 'পাসওয়ার্ড দেওয়া হয়েছে'],
  password_reset: ['password reset', 'পাসওয়ার্ড রিসেট হয়েছে'],
  password_rehashed: ['password hash updated', 'পাসওয়ার্ড নতুন করে রাখা হয়েছে'],
  session_ended: ['session ended', 'সেশন শেষ'],
  sessions_ended: ['sessions ended', 'সেশনগুলো শেষ'],
  two_factor_begun: ['second factor begun', 'দ্বিতীয় ধাপ শুরু'],
  two_factor_enabled: ['second factor on', 'দ্বিতীয় ধাপ চালু'],
  two_factor_disabled: ['second factor off', 'দ্বিতীয় ধাপ বন্ধ'],
  browsers_forgotten: ['known browsers forgotten', 'চেনা ব্রাউজার মোছা হয়েছে'],
  redelivered: ['sent again', 'আবার পাঠানো হয়েছে'],
  tested: ['test event sent', 'পরীক্ষার ইভেন্ট পাঠানো হয়েছে'],
  recovered: ['recovery started', 'পুনরুদ্ধার শুরু'],
};
const STAGES: Each<'asked' | 'refused'> = {
  asked: ['requested', 'অনুরোধ করা হয়েছে'],
  refused: ['refused', 'প্রত্যাখ্যাত'],
};

/** "API key: revoked" for `api_key.revoked`. Undefined for an action that has no text. */
export function actionText(action: string, language: Language): string | undefined {
  const [subject = '', name = ''] = action.split('.');
  const [, act = name, stage] = /^(.+)_(asked|refused)$/.exec(name) ?? [];
  const of = (texts: Texts, key: string) => (Object.hasOwn(texts, key) ? texts[key] : undefined);
  const known = of(ACTS, name) ?? (stage === undefined ? undefined : of(ACTS, act));
  const subjectText = of(SUBJECTS, subject);
  if (subjectText === undefined || known === undefined) return undefined;
  const suffix = of(ACTS, name) === undefined ? ` (${textIn(STAGES[stage as 'asked' | 'refused'], language)})` : '';
  return `${textIn(subjectText, language)}: ${textIn(known, language)}${suffix}`;
}
