import type { Language } from './format';

/** Doubts about a text in Bangla, by the sentence of the API. */
export const EXPLANATIONS_IN_BANGLA: Readonly<Record<string, string>> = {
  'The date in the TrxID differs from the date in the text.': 'TrxID-এর তারিখ এসএমএসের তারিখ থেকে ভিন্ন।',
  'The TrxID contains a date that does not exist.': 'TrxID-এ এমন তারিখ আছে যা হয় না।',
  'The TrxID does not match the date in the text.': 'TrxID এসএমএসের তারিখের সাথে মেলে না।',
  'The balance in the text is lower than the received amount.': 'এসএমএসে লেখা ব্যালেন্স প্রাপ্ত টাকার চেয়ে কম।',
  'The text contains a link that the provider does not send.': 'এসএমএসে এমন লিংক আছে যা বিকাশ বা নগদ পাঠায় না।',
  'The text contains a phone number that the provider does not send.':
    'এসএমএসে এমন ফোন নম্বর আছে যা বিকাশ বা নগদ পাঠায় না।',
  'The text contains content that the provider does not send.': 'এসএমএসে এমন কিছু লেখা আছে যা বিকাশ বা নগদ পাঠায় না।',
  'The text contains invisible characters that change the writing direction.':
    'এসএমএসে লেখার দিক বদলানোর অদৃশ্য অক্ষর আছে।',
  'The text contains invisible characters.': 'এসএমএসে অদৃশ্য অক্ষর আছে।',
  'The text contains digits of two scripts.': 'এসএমএসে দুই লিপির সংখ্যা আছে।',
  'The text contains letters of another script that look like Latin letters.':
    'এসএমএসে অন্য লিপির অক্ষর আছে যা দেখতে ইংরেজি অক্ষরের মতো।',
  'The sender id is spelled differently from the id of the provider.':
    'প্রেরকের নামের বানান বিকাশ বা নগদের নামের বানান থেকে ভিন্ন।',
  'The line breaks of the text are missing, so the end of its balance is ambiguous.':
    'এসএমএসের লাইন ভাঙা নেই, তাই ব্যালেন্সের শেষ কোথায় তা নিশ্চিত নয়।',
  'The text differs from the format of the provider.': 'এসএমএসটির লেখা বিকাশ বা নগদের নিয়মিত লেখা থেকে ভিন্ন।',
  'The time in the text is later than the time of receipt.': 'এসএমএসে লেখা সময় ফোনে আসার সময়ের পরে।',
  'The time in the text is more than one day before the time of receipt.':
    'এসএমএসে লেখা সময় ফোনে আসার এক দিনেরও বেশি আগের।',
  'The time in the text does not match the time of receipt.': 'এসএমএসে লেখা সময় ফোনে আসার সময়ের সাথে মেলে না।',
  'The receiver wallet of the text is unknown.': 'এসএমএসটি কোন গ্রহণকারী নম্বরের তা জানা নেই।',
  'The balance does not match the previous texts of the wallet.': 'ব্যালেন্স ওই ওয়ালেটের আগের এসএমএসের সাথে মেলে না।',
  'The balances of later texts of the wallet contradict the text.':
    'ওয়ালেটের পরের এসএমএসের ব্যালেন্স এই এসএমএসের সাথে মেলে না।',
  'The forwarder app did not sign the text, so anyone who knows the address of the hook could have sent it.':
    'ফরোয়ার্ডার অ্যাপ এসএমএসে স্বাক্ষর করেনি, তাই হুকের ঠিকানা জানা যে কেউ এটি পাঠিয়ে থাকতে পারে।',
  'The payer number differs from the number that the payment intent expects, or the expected number is not a mobile number.':
    'টাকা পাঠানো নম্বর ইনটেন্টে প্রত্যাশিত নম্বর থেকে ভিন্ন, অথবা প্রত্যাশিত নম্বরটি মোবাইল নম্বর নয়।',
  'The payment is older than the merchant allows.': 'মার্চেন্টের অনুমোদিত সময়ের চেয়ে পেমেন্টটি পুরোনো।',
  'The text had a forgery signal when it was received.': 'এসএমএসটি আসার সময় তাতে জালিয়াতির লক্ষণ ছিল।',
};

/** A doubt in the language of the user; one of a newer API in English, as it was sent. */
export function explanationText(
  sentence: string,
  language: Language,
): { readonly text: string; readonly language: Language } {
  const bangla = Object.hasOwn(EXPLANATIONS_IN_BANGLA, sentence) ? EXPLANATIONS_IN_BANGLA[sentence] : undefined;
  return language === 'bn' && bangla !== undefined ? { text: bangla, language } : { text: sentence, language: 'en' };
}
