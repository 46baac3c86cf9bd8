import type { Language } from './format';
import { textIn, type Text } from './pairs';

/** How a request to an endpoint failed, by the word of the API. */
const OUTCOMES: Readonly<Record<string, Text>> = {
  HTTP_REDIRECT: [
    'The endpoint answered with a redirect, which is not followed',
    'এন্ডপয়েন্ট অন্য ঠিকানায় পাঠিয়েছে, যা অনুসরণ করা হয় না',
  ],
  GONE: ['The endpoint answered that it is gone (410)', 'এন্ডপয়েন্ট জানিয়েছে সেটি আর নেই (410)'],
  HTTP_4XX: ['The endpoint refused the request', 'এন্ডপয়েন্ট অনুরোধটি নেয়নি'],
  HTTP_5XX: ['The endpoint failed', 'এন্ডপয়েন্টে ত্রুটি হয়েছে'],
  DNS: ['The name of the server was not found', 'সার্ভারের নাম খুঁজে পাওয়া যায়নি'],
  CONNECT: ['No connection to the server', 'সার্ভারের সাথে সংযোগ হয়নি'],
  TLS: ['No secure connection to the server (TLS)', 'সার্ভারের সাথে নিরাপদ সংযোগ (TLS) হয়নি'],
  RESET: ['The server closed the connection', 'সার্ভার সংযোগ বন্ধ করে দিয়েছে'],
  STALE_SOCKET: [
    'The server had closed the connection; sent again immediately',
    'সার্ভার আগেই সংযোগ বন্ধ করেছিল; সাথে সাথে আবার পাঠানো হয়েছে',
  ],
  TIMEOUT: ['No answer in time', 'সময়মতো উত্তর আসেনি'],
  PROTOCOL: ['The answer is not valid HTTP', 'উত্তরটি সঠিক HTTP নয়'],
  BLOCKED: ['The address is not permitted', 'ঠিকানাটি অনুমোদিত নয়'],
  INTERNAL: ['An error of this system before the request was sent', 'অনুরোধ পাঠানোর আগে এই সিস্টেমে ত্রুটি হয়েছে'],
  UNKNOWN: ['It is not known whether the request arrived', 'অনুরোধটি পৌঁছেছে কি না জানা যায়নি'],
};

/** "No connection to the server (ECONNREFUSED)" for `CONNECT (ECONNREFUSED)`; an unknown word stays as it is. */
export function outcomeText(outcome: string, language: Language): string {
  const [, word = '', detail = ''] = /^(\w+)(.*)$/s.exec(outcome) ?? [];
  const known = Object.hasOwn(OUTCOMES, word) ? OUTCOMES[word] : undefined;
  return known === undefined ? outcome : `${textIn(known, language)}${detail}`;
}
