import type { Language, NoticeKind } from '@pay/contracts';

type Details = Readonly<Record<string, unknown>>;
type Texts = Readonly<Record<NoticeKind, (details: Details) => string>>;

const TEXTS: Readonly<Record<Language, Texts>> = {
  en: {
    login_limited: ({ address }) =>
      `Log-ins to your account failed repeatedly, most recently from ${String(address)}. ` +
      'Your known browsers can still log in. If it was not you, choose a unique password and enable two-factor ' +
      'authentication.',
    number_shared: ({ msisdn }) =>
      `Another merchant has also registered your number ${String(msisdn)} in LIVE. The payments are kept separate. Verify the ` +
      'number to deactivate it for the other merchant.',
    number_lost: ({ msisdn }) =>
      `Another merchant has verified the number ${String(msisdn)}, and your LIVE receiver accounts with it are deactivated. ` +
      'If you own the SIM, verify the number too: the latest verification counts.',
  },
  bn: {
    login_limited: ({ address }) =>
      `আপনার অ্যাকাউন্টে বারবার লগ ইন ব্যর্থ হয়েছে, সর্বশেষ ${String(address)} থেকে। আপনার পরিচিত ব্রাউজার থেকে এখনো লগ ইন করা যায়। ` +
      'আপনি না করে থাকলে এমন একটি পাসওয়ার্ড দিন যা আর কোথাও ব্যবহার করেন না, এবং দুই ধাপের যাচাই চালু করুন।',
    number_shared: ({ msisdn }) =>
      `অন্য একজন মার্চেন্টও আপনার নম্বর ${String(msisdn)} LIVE-এ যোগ করেছেন। পেমেন্টগুলো আলাদা রাখা হয়। ` +
      'অন্য মার্চেন্টের কাছে নম্বরটি নিষ্ক্রিয় করতে নম্বরটি যাচাই করুন।',
    number_lost: ({ msisdn }) =>
      `অন্য একজন মার্চেন্ট ${String(msisdn)} নম্বরটি যাচাই করেছেন, তাই আপনার এই নম্বরের LIVE গ্রহণকারী নম্বরগুলো নিষ্ক্রিয় করা হয়েছে। ` +
      'সিমটি আপনার হলে আপনিও নম্বরটি যাচাই করুন: সর্বশেষ যাচাইটিই ধরা হয়।',
  },
};

const UNKNOWN: Readonly<Record<Language, string>> = {
  en: 'This version of the service cannot describe this notice.',
  bn: 'সেবাটির এই সংস্করণ বিজ্ঞপ্তিটি দেখাতে পারে না।',
};

/** A newer version of the service may store kinds that this one does not know. */
export function noticeText(language: Language, kind: string, details: Details): string {
  const texts: Readonly<Record<string, (details: Details) => string>> = TEXTS[language];
  return (Object.hasOwn(texts, kind) ? texts[kind]?.(details) : undefined) ?? UNKNOWN[language];
}
