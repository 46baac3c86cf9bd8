import type { Suggestion } from '@pay/contracts';
import { useWords } from '../text/language';

const en = {
  already_paid: (amount: string) =>
    `The intent has already been paid by another SMS. These ${amount} are additional: refund them, or use them for another intent.`,
  parts_add_up: (parts: string, amount: string) =>
    `Several SMS of one payer name this reference: ${parts} = ${amount}, which is the amount of the intent.`,
  reference_misspelt: (written: string, reference: string, amount: string) =>
    `The SMS names ${written}. An intent over ${amount} has the reference ${reference}, which looks almost the same.`,
  amount_fits: (reference: string, amount: string) =>
    `An intent with the reference ${reference} expected exactly ${amount} on this number when the payment arrived.`,
  no_intent:
    'No intent has a similar reference, and none expected this amount on this number when the payment arrived.',
};

const bn: typeof en = {
  already_paid: (amount: string) =>
    `ইনটেন্টটি আগেই অন্য এসএমএসে পরিশোধিত। এটি অতিরিক্ত ${amount}: ফেরত দিন, অথবা অন্য ইনটেন্টে ব্যবহার করুন।`,
  parts_add_up: (parts: string, amount: string) =>
    `একই প্রদানকারীর কয়েকটি এসএমএসে এই রেফারেন্স আছে: ${parts} = ${amount}, যা ইনটেন্টের টাকার সমান।`,
  reference_misspelt: (written: string, reference: string, amount: string) =>
    `এসএমএসে ${written} লেখা। ${amount} এর একটি ইনটেন্টের রেফারেন্স ${reference}, যা দেখতে প্রায় একই।`,
  amount_fits: (reference: string, amount: string) =>
    `টাকা আসার সময় ${reference} রেফারেন্সের একটি ইনটেন্ট এই নম্বরে ঠিক ${amount} চেয়েছিল।`,
  no_intent: 'কাছাকাছি রেফারেন্সের কোনো ইনটেন্ট নেই, এবং টাকা আসার সময় এই নম্বরে এই পরিমাণ কেউ চায়নি।',
};

/** A suggestion in the language of the user. */
export function useSuggestionText(): (suggestion: Suggestion) => string {
  const { language, money } = useWords();
  const w = language === 'bn' ? bn : en;
  return ({ kind, values: { amount = '0', reference = '', writtenReference = '', parts = [] } }) => {
    switch (kind) {
      case 'already_paid':
        return w.already_paid(money(amount));
      case 'parts_add_up':
        return w.parts_add_up(parts.map(money).join(' + '), money(amount));
      case 'reference_misspelt':
        return w.reference_misspelt(writtenReference, reference, money(amount));
      case 'amount_fits':
        return w.amount_fits(reference, money(amount));
      case 'no_intent':
        return w.no_intent;
    }
  };
}
