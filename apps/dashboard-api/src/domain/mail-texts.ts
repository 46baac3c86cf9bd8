import type { Language, Role } from '@pay/contracts';
import { noticeText } from './notice-text';

export interface InvitationMail {
  readonly merchantName: string;
  readonly inviterName: string;
  readonly role: Role;
  readonly token: string;
  readonly expiresAt: Date;
  /** The dashboard reads the token after the #. Undefined if there is no dashboard. */
  readonly dashboardUrl: string | undefined;
  readonly apiUrl: string;
}

export interface MailText {
  readonly subject: string;
  readonly text: string;
}

const LANGUAGES: readonly Language[] = ['en', 'bn'];

const ROLES_IN_BANGLA: Readonly<Record<Role, string>> = {
  OWNER: 'মালিক',
  ADMIN: 'অ্যাডমিন',
  REVIEWER: 'যাচাইকারী',
  DEVELOPER: 'ডেভেলপার',
  VIEWER: 'দর্শক',
};

/** Text without a dashboard: how to accept the invitation with the API. */
const BY_API: Readonly<Record<Language, readonly [without: string, withAccount: string]>> = {
  en: [
    'If you have no account yet, send this token with a password of at least 12 characters:',
    'If you already have an account, send this token with its password:',
  ],
  bn: [
    'আপনার অ্যাকাউন্ট না থাকলে এই টোকেন ও অন্তত ১২ অক্ষরের একটি পাসওয়ার্ড পাঠান:',
    'আপনার অ্যাকাউন্ট থাকলে এই টোকেন ও সেটির পাসওয়ার্ড পাঠান:',
  ],
};

const INVITATIONS: Readonly<Record<Language, (given: InvitationMail, how: readonly string[]) => MailText>> = {
  en: ({ merchantName, inviterName, role, expiresAt }, how) => ({
    subject: `Invitation to ${merchantName}`,
    text: [
      `${inviterName} invites you to ${merchantName}, with the role ${role}.`,
      ...['', ...how, ''],
      `The invitation can be used once until ${timeText(expiresAt, 'en')}. If you do not know ${merchantName}, ignore this mail.`,
    ].join('\n'),
  }),
  bn: ({ merchantName, inviterName, role, expiresAt }, how) => ({
    subject: `${merchantName}-এ যোগ দেওয়ার আমন্ত্রণ`,
    text: [
      `${inviterName} আপনাকে ${merchantName}-এ ${ROLES_IN_BANGLA[role]} হিসেবে আমন্ত্রণ জানিয়েছেন।`,
      ...['', ...how, ''],
      `আমন্ত্রণটি ${timeText(expiresAt, 'bn')} পর্যন্ত একবার ব্যবহার করা যায়। ${merchantName} আপনার চেনা না হলে এই মেইল উপেক্ষা করুন।`,
    ].join('\n'),
  }),
};

const ACCEPT_HERE: Readonly<Record<Language, string>> = { en: 'Accept it here:', bn: 'এখানে গ্রহণ করুন:' };

/** The token follows a #, because browsers do not send that part to servers. */
export function invitationMail(mail: InvitationMail): MailText {
  const { token, dashboardUrl, apiUrl } = mail;
  const given = { ...mail, merchantName: unlinked(mail.merchantName), inviterName: unlinked(mail.inviterName) };
  const api = apiUrl.replace(/\/+$/, '');
  return inBothLanguages((language) => {
    const [without, withAccount] = BY_API[language];
    const how =
      dashboardUrl === undefined
        ? [
            without,
            `  POST ${api}/v1/auth/invitations/accept  {"token": "${token}", "password": "..."}`,
            withAccount,
            `  POST ${api}/v1/auth/invitations/login  {"token": "${token}", "password": "..."}`,
          ]
        : [`${ACCEPT_HERE[language]} ${dashboardUrl.replace(/\/+$/, '')}/invitations#${token}`];
    return INVITATIONS[language](given, how);
  });
}

const LOGIN_LIMITED: Readonly<Record<Language, string>> = {
  en: 'Failed log-ins of your account',
  bn: 'আপনার অ্যাকাউন্টে ব্যর্থ লগ ইন',
};

/** `address` is the network address of the last attempt. */
export function loginLimitedMail(address: string): MailText {
  return inBothLanguages((language) => ({
    subject: LOGIN_LIMITED[language],
    text: noticeText(language, 'login_limited', { address }),
  }));
}

const ACCESS_REPAIRED = {
  password_changed: {
    en: {
      subject: 'Your password was reset',
      text: 'The operator has reset the password of your account and ended all sessions. Log in with the new password and change it under "Account".',
    },
    bn: {
      subject: 'আপনার পাসওয়ার্ড রিসেট হয়েছে',
      text: 'অপারেটর আপনার অ্যাকাউন্টের পাসওয়ার্ড রিসেট করেছেন এবং সব সেশন শেষ করেছেন। নতুন পাসওয়ার্ড দিয়ে লগ ইন করে "অ্যাকাউন্ট" পাতায় সেটি বদলান।',
    },
  },
  access_withdrawn: {
    en: {
      subject: 'Two-factor authentication was disabled',
      text: 'The operator has disabled two-factor authentication of your account and ended all sessions. Log in with your password and enable it again under "Account".',
    },
    bn: {
      subject: 'দুই ধাপের যাচাই বন্ধ করা হয়েছে',
      text: 'অপারেটর আপনার অ্যাকাউন্টের দুই ধাপের যাচাই বন্ধ করেছেন এবং সব সেশন শেষ করেছেন। পাসওয়ার্ড দিয়ে লগ ইন করে "অ্যাকাউন্ট" পাতায় এটি আবার চালু করুন।',
    },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<Language, MailText>>>>;

const NOT_REQUESTED: Readonly<Record<Language, string>> = {
  en: 'If you did not ask for this, contact the operator immediately.',
  bn: 'আপনি এটি না চেয়ে থাকলে এখনই অপারেটরকে জানান।',
};

/** Sent after a command of the operator that ends sessions. Key: the reason of the end. */
export function accessRepairedMail(because: keyof typeof ACCESS_REPAIRED): MailText {
  return inBothLanguages((language) => {
    const { subject, text } = ACCESS_REPAIRED[because][language];
    return { subject, text: `${text}\n\n${NOT_REQUESTED[language]}` };
  });
}

/** Characters that mail programs read as a dot or a slash of an address. */
const DOT_OR_SLASH = /[./\u3002\uff0e\uff0f\uff61]/g;
const WORD_JOINER = '\u2060';

/**
 * A name that mail programs do not turn into a link, such as "pay-support.example/login": an invisible character
 * follows each dot and slash. Shops have names such as "Chaldal.com", so these are not refused.
 */
export function unlinked(name: string): string {
  return name.replace(DOT_OR_SLASH, `$&${WORD_JOINER}`);
}

/** A mail contains both languages, because only the browser of a person stores the preferred one. */
export function inBothLanguages(mailIn: (language: Language) => MailText): MailText {
  const mails = LANGUAGES.map(mailIn);
  return {
    subject: mails.map(({ subject }) => subject).join(' / '),
    text: `${mails.map(({ text }) => text).join('\n\n———\n\n')}\n`,
  };
}

/** In Asia/Dhaka. Example: "23 November 2026 at 16:00 (Dhaka)". */
export function timeText(time: Date, language: Language): string {
  const format = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : 'bn-BD', {
    dateStyle: 'long',
    timeStyle: 'short',
    // Bangla locales write AM and PM in Latin letters.
    hourCycle: 'h23',
    timeZone: 'Asia/Dhaka',
  });
  return `${format.format(time)} ${language === 'en' ? '(Dhaka)' : '(ঢাকা)'}`;
}
