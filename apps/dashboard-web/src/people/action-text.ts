import type { Language } from '../text/format';

type Words = Readonly<Record<Language, Readonly<Record<string, string>>>>;

const SUBJECTS: Words = {
  en: {
    ...{
      alert_settings: 'Alerts',
      api_key: 'API key',
      device: 'Phone',
      exception: 'Exception',
      invitation: 'Invitation',
      merchant: 'Merchant',
    },
    ...{ number_proof: 'Proof of a number', receiver_account: 'Receiving number', session: 'Session', sms: 'SMS' },
    ...{ sms_event: 'SMS', sms_events: 'Several SMS', test_clock: 'Test clock', test_endpoint: 'Test endpoint' },
    ...{ test_suite: 'Test cases', user: 'Person', webhook_endpoint: 'Endpoint', webhook_delivery: 'Delivery' },
  },
  bn: {
    ...{
      alert_settings: 'সতর্কতা',
      api_key: 'API কী',
      device: 'ফোন',
      exception: 'যাচাই',
      invitation: 'আমন্ত্রণ',
      merchant: 'মার্চেন্ট',
    },
    ...{ number_proof: 'নম্বরের প্রমাণ', receiver_account: 'গ্রহণকারী নম্বর', session: 'সেশন', sms: 'এসএমএস' },
    ...{ sms_event: 'এসএমএস', sms_events: 'একাধিক এসএমএস', test_clock: 'টেস্ট ঘড়ি', test_endpoint: 'টেস্ট এন্ডপয়েন্ট' },
    ...{ test_suite: 'টেস্ট কেস', user: 'ব্যক্তি', webhook_endpoint: 'এন্ডপয়েন্ট', webhook_delivery: 'ডেলিভারি' },
  },
};

const ACTS: Words = {
  en: {
    ...{ added: 'added', changed: 'changed', created: 'created', deleted: 'deleted', issued: 'created' },
    ...{ renamed: 'renamed', revoked: 'revoked', rotated: 'replaced', locked: 'locked', unlocked: 'unlocked' },
    ...{ connected: 'connected', disabled: 'disabled', enabled: 'enabled', paired: 'paired', verified: 'verified' },
    ...{ pairing_begun: 'pairing code shown', key_replaced: 'key replaced', receivers_attached: 'numbers connected' },
    ...{ hook_created: 'forwarder app added', hook_deleted: 'forwarder app removed' },
    ...{ unsigned_texts_allowed: 'unsigned texts allowed', unsigned_texts_refused: 'unsigned texts refused' },
    ...{
      resolve: 'approve',
      resolved: 'approved',
      link: 'link',
      linked: 'linked',
      reject: 'reject',
      rejected: 'rejected',
    },
    ...{ refunded: 'closed as refunded', 'not-ours': 'close as not ours', disowned: 'closed as not ours' },
    ...{ reopen: 'open again', reopened: 'opened again', assign: 'assign', assigned: 'assigned' },
    ...{ accepted: 'accepted', requested: 'requested', code_sent: 'code sent', proven: 'proven' },
    ...{ number_lost: 'number proven by another merchant', switched_on: 'switched on', switched_off: 'switched off' },
    ...{ reuse_detected: 'ended: its token was used twice', simulated: 'simulated', reparsed: 'parsed again' },
    ...{ reported: 'format reported', advanced: 'advanced', reset: 'reset', provided: 'created', started: 'started' },
    ...{ joined: 'joined', deactivated: 'deactivated', reactivated: 'reactivated', role_changed: 'role changed' },
    ...{
      logged_in: 'logged in',
      logged_out: 'logged out',
      login_failed: 'log-in failed',
      login_limited: 'log-in limited',
    },
    ...{ merchant_switched: 'merchant switched', password_changed: 'password changed', password_set: 'password set' },
    ...{ password_rehashed: 'password stored anew', session_ended: 'session ended', sessions_ended: 'sessions ended' },
    ...{ two_factor_begun: 'second factor begun', two_factor_enabled: 'second factor on' },
    ...{ two_factor_disabled: 'second factor off', browsers_forgotten: 'known browsers forgotten' },
    ...{ redelivered: 'sent again', tested: 'test event sent', recovered: 'recovery started' },
  },
  bn: {
    ...{
      added: 'যোগ হয়েছে',
      changed: 'বদলেছে',
      created: 'তৈরি হয়েছে',
      deleted: 'মুছে ফেলা হয়েছে',
      issued: 'তৈরি হয়েছে',
    },
    ...{ renamed: 'নাম বদলেছে', revoked: 'বাতিল হয়েছে', rotated: 'নতুন করা হয়েছে', locked: 'লক হয়েছে' },
    ...{ unlocked: 'আনলক হয়েছে', connected: 'যুক্ত হয়েছে', disabled: 'নিষ্ক্রিয় হয়েছে', enabled: 'সক্রিয় হয়েছে' },
    ...{ paired: 'পেয়ার হয়েছে', verified: 'যাচাই হয়েছে', pairing_begun: 'পেয়ারিং কোড দেখানো হয়েছে' },
    ...{ key_replaced: 'কী বদলেছে', receivers_attached: 'নম্বর যুক্ত হয়েছে' },
    ...{ hook_created: 'ফরোয়ার্ডার অ্যাপ যোগ হয়েছে', hook_deleted: 'ফরোয়ার্ডার অ্যাপ সরানো হয়েছে' },
    ...{ unsigned_texts_allowed: 'স্বাক্ষরহীন এসএমএস অনুমোদিত', unsigned_texts_refused: 'স্বাক্ষরহীন এসএমএস নিষিদ্ধ' },
    ...{
      resolve: 'অনুমোদন',
      resolved: 'অনুমোদিত',
      link: 'যুক্ত করা',
      linked: 'যুক্ত',
      reject: 'বাতিল',
      rejected: 'বাতিল হয়েছে',
    },
    ...{ refunded: 'ফেরত দিয়ে বন্ধ', 'not-ours': 'আমাদের নয় বলে বন্ধ', disowned: 'আমাদের নয় বলে বন্ধ হয়েছে' },
    ...{ reopen: 'আবার খোলা', reopened: 'আবার খোলা হয়েছে', assign: 'দায়িত্ব দেওয়া', assigned: 'দায়িত্ব দেওয়া হয়েছে' },
    ...{ accepted: 'গৃহীত', requested: 'চাওয়া হয়েছে', code_sent: 'কোড পাঠানো হয়েছে', proven: 'প্রমাণিত' },
    ...{ number_lost: 'অন্য মার্চেন্ট নম্বরটি প্রমাণ করেছে', switched_on: 'চালু হয়েছে', switched_off: 'বন্ধ হয়েছে' },
    ...{ reuse_detected: 'শেষ: টোকেন দুবার ব্যবহৃত', simulated: 'সিমুলেট হয়েছে', reparsed: 'আবার পড়া হয়েছে' },
    ...{ reported: 'ফরম্যাট জানানো হয়েছে', advanced: 'এগিয়েছে', reset: 'রিসেট হয়েছে', provided: 'তৈরি হয়েছে' },
    ...{ started: 'শুরু হয়েছে', joined: 'যোগ দিয়েছেন', deactivated: 'নিষ্ক্রিয় হয়েছেন', reactivated: 'আবার সক্রিয়' },
    ...{ role_changed: 'ভূমিকা বদলেছে', logged_in: 'লগ ইন করেছেন', logged_out: 'লগ আউট করেছেন' },
    ...{ login_failed: 'লগ ইন ব্যর্থ', login_limited: 'লগ ইন সীমিত', merchant_switched: 'মার্চেন্ট বদলেছেন' },
    ...{ password_changed: 'পাসওয়ার্ড বদলেছে', password_set: 'পাসওয়ার্ড দেওয়া হয়েছে' },
    ...{ password_rehashed: 'পাসওয়ার্ড নতুন করে রাখা হয়েছে', session_ended: 'সেশন শেষ', sessions_ended: 'সেশনগুলো শেষ' },
    ...{ two_factor_begun: 'দ্বিতীয় ধাপ শুরু', two_factor_enabled: 'দ্বিতীয় ধাপ চালু' },
    ...{ two_factor_disabled: 'দ্বিতীয় ধাপ বন্ধ', browsers_forgotten: 'চেনা ব্রাউজার মোছা হয়েছে' },
    ...{ redelivered: 'আবার পাঠানো হয়েছে', tested: 'পরীক্ষার ইভেন্ট পাঠানো হয়েছে', recovered: 'পুনরুদ্ধার শুরু' },
  },
};
const STAGES: Readonly<Record<Language, Readonly<Record<'asked' | 'refused', string>>>> = {
  en: { asked: 'requested', refused: 'refused' },
  bn: { asked: 'অনুরোধ করা হয়েছে', refused: 'প্রত্যাখ্যাত' },
};

/** "API key: revoked" for `api_key.revoked`. Undefined for an action that has no text. */
export function actionText(action: string, language: Language): string | undefined {
  const [subject = '', name = ''] = action.split('.');
  const [, act = name, stage] = /^(.+)_(asked|refused)$/.exec(name) ?? [];
  const of = (words: Words, key: string) => (Object.hasOwn(words[language], key) ? words[language][key] : undefined);
  const known = of(ACTS, name) ?? (stage === undefined ? undefined : of(ACTS, act));
  const subjectText = of(SUBJECTS, subject);
  if (subjectText === undefined || known === undefined) return undefined;
  const suffix = of(ACTS, name) === undefined ? ` (${STAGES[language][stage as 'asked' | 'refused']})` : '';
  return `${subjectText}: ${known}${suffix}`;
}
