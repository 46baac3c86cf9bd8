import type { AlertKind, Environment } from '@pay/contracts';
import { sectionWords } from '../text/section-words';

type Each<Name extends string> = Readonly<Record<Name, string>>;

const en = {
  title: (environment: Environment): string => `Alerts in ${environment}`,
  text: 'Sent by e-mail to all owners and admins, once for each problem and at most every 15 minutes. Webhook endpoints that choose alert.opened and alert.closed receive each of them immediately.',
  endpoints: 'Choose the events of your endpoints',
  label: 'Alert when',
  kinds: {
    device_silent: 'A phone is silent',
    exceptions_waiting: 'Exceptions wait for a decision',
    endpoint_failing: 'A webhook endpoint accepts nothing',
    sms_missing: 'SMS are missing',
    payment_doubtful: 'A payment is doubtful',
  } satisfies Each<AlertKind>,
  hints: {
    device_silent: 'For five minutes. Only phones that send heartbeats.',
    exceptions_waiting: 'For one hour.',
    endpoint_failing: 'For 15 minutes.',
    sms_missing: 'Found in the last 24 hours.',
    payment_doubtful: 'Its SMS may be forged: the balances of later SMS contradict it. Open for 24 hours.',
  } satisfies Each<AlertKind>,
  latest: 'Latest alerts',
  none: 'No alerts so far.',
  what: 'Alert',
  status: 'Status',
  open: 'Open',
  closed: 'Over',
  since: 'Since',
  mailed: 'Mail sent',
  notMailed: 'Not yet',
};

export const useAlertWords = sectionWords(en, {
  title: (environment) => `${environment}-এ সতর্কতা`,
  text: 'সব মালিক ও অ্যাডমিনকে ইমেইলে পাঠানো হয়: প্রতিটি সমস্যায় একবার, আর বেশি হলে প্রতি ১৫ মিনিটে একবার। যে ওয়েবহুক এন্ডপয়েন্ট alert.opened ও alert.closed বেছে নেয়, সেখানে প্রতিটি সঙ্গে সঙ্গে যায়।',
  endpoints: 'আপনার এন্ডপয়েন্টের ইভেন্ট বেছে নিন',
  label: 'সতর্ক করুন যখন',
  kinds: {
    device_silent: 'কোনো ফোন নীরব',
    exceptions_waiting: 'যাচাই সিদ্ধান্তের অপেক্ষায়',
    endpoint_failing: 'ওয়েবহুক এন্ডপয়েন্ট কিছু গ্রহণ করছে না',
    sms_missing: 'এসএমএস পাওয়া যায়নি',
    payment_doubtful: 'কোনো পেমেন্ট সন্দেহজনক',
  },
  hints: {
    device_silent: 'পাঁচ মিনিট ধরে। শুধু যেসব ফোন হার্টবিট পাঠায়।',
    exceptions_waiting: 'এক ঘণ্টা ধরে।',
    endpoint_failing: '১৫ মিনিট ধরে।',
    sms_missing: 'গত ২৪ ঘণ্টায় ধরা পড়েছে।',
    payment_doubtful: 'এর এসএমএস জাল হতে পারে: পরের এসএমএসের ব্যালেন্স তার সঙ্গে মেলে না। ২৪ ঘণ্টা খোলা থাকে।',
  },
  latest: 'সাম্প্রতিক সতর্কতা',
  none: 'এখনো কোনো সতর্কতা নেই।',
  what: 'সতর্কতা',
  status: 'অবস্থা',
  open: 'চলছে',
  closed: 'শেষ',
  since: 'শুরু',
  mailed: 'মেইল পাঠানো',
  notMailed: 'এখনো নয়',
});
