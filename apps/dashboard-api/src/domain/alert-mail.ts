import type { AlertKind, Environment, Language } from '@pay/contracts';
import { inBothLanguages, timeText, unlinked, type MailText } from './mail-texts';

export interface MailedAlert {
  readonly kind: AlertKind;
  readonly subject: string;
  readonly name: string | null;
  readonly count: number;
  readonly since: Date;
}

export interface AlertMail {
  readonly merchantName: string;
  readonly environment: Environment;
  readonly alerts: readonly MailedAlert[];
  /** Undefined if there is no dashboard. */
  readonly dashboardUrl: string | undefined;
}

interface Shown {
  readonly name: string;
  readonly count: string;
  readonly since: string;
}

/** Pages of the dashboard that show the problem, without the environment. */
const PLACES: Readonly<Record<AlertKind, (subject: string) => string>> = {
  device_silent: () => 'devices',
  exceptions_waiting: () => 'exceptions',
  endpoint_failing: () => 'webhooks',
  sms_missing: () => 'sms/missing',
  payment_doubtful: (subject) => `payments/${subject}`,
};

/** A mail lists only the first ones. The dashboard shows all. */
const MOST_LISTED = 20;

const ALERTS: Readonly<Record<Language, Readonly<Record<AlertKind, (shown: Shown) => string>>>> = {
  en: {
    device_silent: ({ name, since }) =>
      `The phone "${name}" has been silent since ${since}. Payments to its numbers are not confirmed until it is online ` +
      'again. Check its power and its internet connection, and that the forwarder app is running.',
    exceptions_waiting: ({ count, since }) =>
      `Payments wait for your decision: ${count}, the oldest since ${since}. Decide on them in the dashboard.`,
    endpoint_failing: ({ name, since }) =>
      `The webhook endpoint at ${name} has accepted no webhooks since ${since}. Check your server. Webhooks that it has ` +
      'missed can be sent again.',
    sms_missing: ({ count, since }) =>
      `SMS about payments are missing: ${count}, the first noticed on ${since}. Check that the phone is online and ` +
      'forwards all SMS of bKash and Nagad.',
    payment_doubtful: ({ since }) =>
      `A payment was confirmed by an SMS that may be forged: the balances of later SMS contradict it. Noticed on ${since}. ` +
      'Before you deliver, look for the payment in the history of your bKash or Nagad app.',
  },
  bn: {
    device_silent: ({ name, since }) =>
      `"${name}" ফোনটি ${since} থেকে নীরব। আবার অনলাইন না হওয়া পর্যন্ত এর নম্বরে আসা পেমেন্ট নিশ্চিত হয় না। ফোনের চার্জ ও ইন্টারনেট ` +
      'সংযোগ দেখুন, এবং ফরোয়ার্ডার অ্যাপ চালু আছে কি না দেখুন।',
    exceptions_waiting: ({ count, since }) =>
      `পেমেন্ট আপনার সিদ্ধান্তের অপেক্ষায়: ${count}টি, সবচেয়ে পুরোনোটি ${since} থেকে। ড্যাশবোর্ডে সিদ্ধান্ত দিন।`,
    endpoint_failing: ({ name, since }) =>
      `${name}-এর ওয়েবহুক এন্ডপয়েন্ট ${since} থেকে কোনো ওয়েবহুক গ্রহণ করেনি। আপনার সার্ভার দেখুন। যেসব ওয়েবহুক পৌঁছায়নি সেগুলো আবার পাঠানো যায়।`,
    sms_missing: ({ count, since }) =>
      `পেমেন্টের এসএমএস পাওয়া যায়নি: ${count}টি, প্রথমটি ধরা পড়েছে ${since}। ফোন অনলাইনে আছে কি না এবং বিকাশ ও নগদের সব এসএমএস ` +
      'ফরোয়ার্ড করছে কি না দেখুন।',
    payment_doubtful: ({ since }) =>
      `একটি পেমেন্ট এমন এসএমএসে নিশ্চিত হয়েছে যা জাল হতে পারে: পরের এসএমএসের ব্যালেন্স তার সঙ্গে মেলে না। ধরা পড়েছে ${since}। ` +
      'পণ্য দেওয়ার আগে আপনার বিকাশ বা নগদ অ্যাপের লেনদেনের তালিকায় পেমেন্টটি আছে কি না দেখুন।',
  },
};

const SUBJECTS: Readonly<Record<Language, Readonly<Record<AlertKind, string>>>> = {
  en: {
    device_silent: 'phone is silent',
    exceptions_waiting: 'payments wait for a decision',
    endpoint_failing: 'webhooks are not accepted',
    sms_missing: 'SMS are missing',
    payment_doubtful: 'payment is doubtful',
  },
  bn: {
    device_silent: 'ফোন নীরব',
    exceptions_waiting: 'পেমেন্ট সিদ্ধান্তের অপেক্ষায়',
    endpoint_failing: 'ওয়েবহুক গৃহীত হচ্ছে না',
    sms_missing: 'এসএমএস পাওয়া যায়নি',
    payment_doubtful: 'পেমেন্ট সন্দেহজনক',
  },
};

interface Frame {
  readonly of: string;
  readonly more: (count: string) => string;
  readonly why: string;
  readonly settings: string;
}

const FRAMES: Readonly<Record<Language, Frame>> = {
  en: {
    of: 'Environment',
    more: (count) => `And ${count} more.`,
    why: 'You receive this mail because you manage this shop. None of these problems is mailed again until it was solved and comes back.',
    settings: 'Choose the alerts in the settings',
  },
  bn: {
    of: 'এনভায়রনমেন্ট',
    more: (count) => `আরও ${count}টি।`,
    why: 'আপনি এই দোকান পরিচালনা করেন বলে মেইলটি পেয়েছেন। সমাধান হয়ে আবার না ঘটলে এগুলো নিয়ে আর মেইল আসবে না।',
    settings: 'সেটিংসে সতর্কতা বেছে নিন',
  },
};

/** Contains no phone numbers, amounts or SMS texts, because mails are not encrypted. */
export function alertMail({ merchantName, environment, alerts: given, dashboardUrl }: AlertMail): MailText {
  const alerts = withOneOfExceptions(given);
  const shop = unlinked(merchantName);
  const base = dashboardUrl?.replace(/\/+$/, '');
  const linkTo = (place: string) => (base === undefined ? [] : [`  ${base}/${environment.toLowerCase()}/${place}`]);
  return inBothLanguages((language) => {
    const number = (value: number) => value.toLocaleString(language === 'en' ? 'en-GB' : 'bn-BD');
    const frame = FRAMES[language];
    const kinds = [...new Set(alerts.map(({ kind }) => kind))];
    const rest = alerts.length - MOST_LISTED;
    return {
      subject: `${shop}: ${kinds.map((kind) => SUBJECTS[language][kind]).join(', ')}`,
      text: [
        `${shop}. ${frame.of}: ${environment}.`,
        '',
        ...alerts.slice(0, MOST_LISTED).flatMap(({ kind, subject, name, count, since }) => [
          `- ${ALERTS[language][kind]({
            name: unlinked(name ?? '?'),
            count: number(count),
            since: timeText(since, language),
          })}`,
          ...linkTo(PLACES[kind](subject)),
          '',
        ]),
        ...(rest > 0 ? [frame.more(number(rest)), ''] : []),
        frame.why,
        ...(base === undefined ? [] : [`${frame.settings}: ${base}/${environment.toLowerCase()}/settings`]),
      ].join('\n'),
    };
  });
}

/** There is one alert per kind of exception, but all of them are in one queue of the dashboard. */
function withOneOfExceptions(alerts: readonly MailedAlert[]): readonly MailedAlert[] {
  const [first, ...others] = alerts.filter(({ kind }) => kind === 'exceptions_waiting');
  if (first === undefined || others.length === 0) return alerts;
  const all = others.reduce<MailedAlert>(
    (sum, { count, since }) => ({ ...sum, count: sum.count + count, since: since < sum.since ? since : sum.since }),
    first,
  );
  return alerts.flatMap((alert) => (alert === first ? [all] : alert.kind === 'exceptions_waiting' ? [] : [alert]));
}
