import type { AlertKind, Environment } from '@pay/contracts';
import type { Each } from '../text/pairs';
import { sectionWords } from '../text/section-words';

export const useAlertWords = sectionWords({
  title: [
    (environment: Environment) => `Alerts in ${environment}`,
    (environment: Environment) => `${environment}-এ সতর্কতা`,
  ],
  text: [
    'Sent by e-mail to all owners and admins, once for each problem and at most every 15 minutes. Webhook endpoints that choose alert.opened and alert.closed receive each of them immediately.',
    'সব মালিক ও অ্যাডমিনকে ইমেইলে পাঠানো হয়: প্রতিটি সমস্যায় একবার, আর বেশি হলে প্রতি ১৫ মিনিটে একবার। যে ওয়েবহুক এন্ডপয়েন্ট alert.opened ও alert.closed বেছে নেয়, সেখানে প্রতিটি সঙ্গে সঙ্গে যায়।',
  ],
  endpoints: ['Choose the events of your endpoints', 'আপনার এন্ডপয়েন্টের ইভেন্ট বেছে নিন'],
  label: ['Alert when', 'সতর্ক করুন যখন'],
  kinds: {
    device_silent: ['A phone is silent', 'কোনো ফোন নীরব'],
    exceptions_waiting: ['Exceptions wait for a decision', 'যাচাই সিদ্ধান্তের অপেক্ষায়'],
    endpoint_failing: ['A webhook endpoint accepts nothing', 'ওয়েবহুক এন্ডপয়েন্ট কিছু গ্রহণ করছে না'],
    sms_missing: ['SMS are missing', 'এসএমএস পাওয়া যায়নি'],
    payment_doubtful: ['A payment is doubtful', 'কোনো পেমেন্ট সন্দেহজনক'],
  } satisfies Each<AlertKind>,
  hints: {
    device_silent: ['For five minutes. Only phones that send heartbeats.', 'পাঁচ মিনিট ধরে। শুধু যেসব ফোন হার্টবিট পাঠায়।'],
    exceptions_waiting: ['For one hour.', 'এক ঘণ্টা ধরে।'],
    endpoint_failing: ['For 15 minutes.', '১৫ মিনিট ধরে।'],
    sms_missing: ['Found in the last 24 hours.', 'গত ২৪ ঘণ্টায় ধরা পড়েছে।'],
    payment_doubtful: [
      'Its SMS may be forged: the balances of later SMS contradict it. Open for 24 hours.',
      'এর এসএমএস জাল হতে পারে: পরের এসএমএসের ব্যালেন্স তার সঙ্গে মেলে না। ২৪ ঘণ্টা খোলা থাকে।',
    ],
  } satisfies Each<AlertKind>,
  latest: ['Latest alerts', 'সাম্প্রতিক সতর্কতা'],
  none: ['No alerts so far.', 'এখনো কোনো সতর্কতা নেই।'],
  what: ['Alert', 'সতর্কতা'],
  status: ['Status', 'অবস্থা'],
  open: ['Open', 'চলছে'],
  closed: ['Over', 'শেষ'],
  since: ['Since', 'শুরু'],
  mailed: ['Mail sent', 'মেইল পাঠানো'],
  notMailed: ['Not yet', 'এখনো নয়'],
});
