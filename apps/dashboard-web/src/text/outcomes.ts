import type { Language } from './format';

/** How a request to an endpoint failed, by the word of the API. */
const OUTCOMES: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  en: {
    HTTP_REDIRECT: 'The endpoint answered with a redirect, which is not followed',
    GONE: 'The endpoint answered that it is gone (410)',
    HTTP_4XX: 'The endpoint refused the request',
    HTTP_5XX: 'The endpoint failed',
    DNS: 'The name of the server was not found',
    CONNECT: 'No connection to the server',
    TLS: 'No secure connection to the server (TLS)',
    RESET: 'The server closed the connection',
    STALE_SOCKET: 'The server had closed the connection; sent again immediately',
    TIMEOUT: 'No answer in time',
    PROTOCOL: 'The answer is not valid HTTP',
    BLOCKED: 'The address is not permitted',
    INTERNAL: 'An error of this system before the request was sent',
    UNKNOWN: 'It is not known whether the request arrived',
  },
  bn: {
    HTTP_REDIRECT: 'এন্ডপয়েন্ট অন্য ঠিকানায় পাঠিয়েছে, যা অনুসরণ করা হয় না',
    GONE: 'এন্ডপয়েন্ট জানিয়েছে সেটি আর নেই (410)',
    HTTP_4XX: 'এন্ডপয়েন্ট অনুরোধটি নেয়নি',
    HTTP_5XX: 'এন্ডপয়েন্টে ত্রুটি হয়েছে',
    DNS: 'সার্ভারের নাম খুঁজে পাওয়া যায়নি',
    CONNECT: 'সার্ভারের সাথে সংযোগ হয়নি',
    TLS: 'সার্ভারের সাথে নিরাপদ সংযোগ (TLS) হয়নি',
    RESET: 'সার্ভার সংযোগ বন্ধ করে দিয়েছে',
    STALE_SOCKET: 'সার্ভার আগেই সংযোগ বন্ধ করেছিল; সাথে সাথে আবার পাঠানো হয়েছে',
    TIMEOUT: 'সময়মতো উত্তর আসেনি',
    PROTOCOL: 'উত্তরটি সঠিক HTTP নয়',
    BLOCKED: 'ঠিকানাটি অনুমোদিত নয়',
    INTERNAL: 'অনুরোধ পাঠানোর আগে এই সিস্টেমে ত্রুটি হয়েছে',
    UNKNOWN: 'অনুরোধটি পৌঁছেছে কি না জানা যায়নি',
  },
};

/** "No connection to the server (ECONNREFUSED)" for `CONNECT (ECONNREFUSED)`; an unknown word stays as it is. */
export function outcomeText(outcome: string, language: Language): string {
  const [, word = '', detail = ''] = /^(\w+)(.*)$/s.exec(outcome) ?? [];
  const known = OUTCOMES[language];
  return Object.hasOwn(known, word) ? `${known[word]}${detail}` : outcome;
}
