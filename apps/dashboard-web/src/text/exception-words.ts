import type { CheckName, CheckResult, ExceptionKind } from '@pay/contracts';
import { inBoth, type Each } from './pairs';

export type Action = 'resolve' | 'reject' | 'refunded' | 'not-ours' | 'link' | 'reopen' | 'assign';

export const kinds = inBoth({
  amount_differs: ['Amount differs', 'টাকার পরিমাণ ভিন্ন'],
  late_payment: ['Late payment', 'দেরিতে পেমেন্ট'],
  paid_twice: ['Paid twice', 'দুইবার পরিশোধ'],
  intent_closed: ['Intent is closed', 'ইনটেন্ট বন্ধ'],
  went_elsewhere: ['Paid to another number', 'অন্য নম্বরে পাঠানো'],
  doubtful: ['Doubtful SMS', 'সন্দেহজনক এসএমএস'],
  no_intent: ['No matching intent', 'মিল পাওয়া যায়নি'],
  method_not_allowed: ['Method not allowed', 'মাধ্যম অনুমোদিত নয়'],
  unparsed: ['SMS not readable', 'এসএমএস পড়া যায়নি'],
  disputed_trx_id: ['TrxID claimed twice', 'একই TrxID দুইবার দাবি'],
} satisfies Each<ExceptionKind>);

export const checks = inBoth({
  reference: {
    pass: ['The reference in the SMS is the reference of this intent.', 'এসএমএসের রেফারেন্স এই ইনটেন্টের রেফারেন্স।'],
    fail: ['The SMS does not contain the reference of this intent.', 'এসএমএসে এই ইনটেন্টের রেফারেন্স নেই।'],
    not_applicable: [
      'The reference was not compared: the customer entered the TrxID.',
      'রেফারেন্স মেলানো হয়নি: গ্রাহক TrxID দিয়েছেন।',
    ],
  },
  amount: {
    pass: ['The received amount is exactly the amount of the intent.', 'প্রাপ্ত টাকা ইনটেন্টের টাকার ঠিক সমান।'],
    fail: ['The received amount differs from the amount of the intent.', 'প্রাপ্ত টাকা ইনটেন্টের টাকা থেকে ভিন্ন।'],
    not_applicable: ['The amount was not compared.', 'টাকার পরিমাণ মেলানো হয়নি।'],
  },
  environment: {
    pass: ['SMS and intent belong to the same environment.', 'এসএমএস ও ইনটেন্ট একই পরিবেশের।'],
    fail: ['SMS and intent belong to different environments.', 'এসএমএস ও ইনটেন্ট ভিন্ন পরিবেশের।'],
    not_applicable: ['The environment was not compared.', 'পরিবেশ মেলানো হয়নি।'],
  },
  method: {
    pass: ['The money was sent by the method of the intent.', 'ইনটেন্টের মাধ্যমেই টাকা পাঠানো হয়েছে।'],
    fail: [
      'The money was sent by a method that the customer was not shown.',
      'গ্রাহককে দেখানো হয়নি এমন মাধ্যমে টাকা পাঠানো হয়েছে।',
    ],
    not_applicable: ['The method was not compared.', 'মাধ্যম মেলানো হয়নি।'],
  },
  receiver: {
    pass: ['The money arrived at the number that the customer was shown.', 'গ্রাহককে দেখানো নম্বরেই টাকা এসেছে।'],
    fail: [
      'The money arrived at a number that the customer was not shown.',
      'গ্রাহককে দেখানো হয়নি এমন নম্বরে টাকা এসেছে।',
    ],
    not_applicable: ['The receiving number was not compared.', 'গ্রহণকারী নম্বর মেলানো হয়নি।'],
  },
  expiry: {
    pass: ['The SMS arrived before the intent expired.', 'ইনটেন্টের মেয়াদ শেষ হওয়ার আগে এসএমএস এসেছে।'],
    fail: [
      'The SMS arrived after the intent expired or was closed.',
      'ইনটেন্টের মেয়াদ শেষ বা বন্ধ হওয়ার পরে এসএমএস এসেছে।',
    ],
    not_applicable: ['The expiry was not compared.', 'মেয়াদ মেলানো হয়নি।'],
  },
  reuse: {
    pass: ['The TrxID has not paid another intent.', 'এই TrxID দিয়ে অন্য কোনো ইনটেন্ট পরিশোধ হয়নি।'],
    fail: ['The TrxID has already paid an intent.', 'এই TrxID দিয়ে আগেই একটি ইনটেন্ট পরিশোধ হয়েছে।'],
    not_applicable: ['The TrxID was not compared.', 'TrxID মেলানো হয়নি।'],
  },
} satisfies Each<CheckName, Each<CheckResult>>);

export const checkResults = inBoth({
  pass: ['Passed', 'ঠিক আছে'],
  fail: ['Failed', 'মেলেনি'],
  not_applicable: ['Not applicable', 'প্রযোজ্য নয়'],
} satisfies Each<CheckResult>);

export const exceptions = inBoth({
  title: ['Exceptions', 'যাচাই তালিকা'],
  subtitle: ['Payments that need a decision', 'যে পেমেন্টগুলোতে সিদ্ধান্ত দরকার'],
  empty: ['Nothing needs a decision.', 'কোনো সিদ্ধান্ত বাকি নেই।'],
  emptyText: ['Payments that do not pass all checks appear here.', 'যে পেমেন্ট সব যাচাই পার হয় না তা এখানে আসে।'],
  emptyFiltered: ['No exception matches this filter.', 'এই ফিল্টারে কিছু নেই।'],
  total: [
    (count: string, exact: boolean) => (exact ? `${count} in total` : `more than ${count}`),
    (count: string, exact: boolean) => (exact ? `মোট ${count}টি` : `${count}টির বেশি`),
  ],
  filterStatus: ['Status', 'অবস্থা'],
  open: ['Open', 'খোলা'],
  closed: ['Closed', 'বন্ধ'],
  filterKind: ['Kind', 'ধরন'],
  order: ['Order', 'ক্রম'],
  oldest: ['Longest waiting first', 'সবচেয়ে পুরোনো আগে'],
  newest: ['Newest first', 'নতুন আগে'],
  sms: ['What the SMS says', 'এসএমএস যা বলে'],
  unparsed: ['The SMS could not be read. Its fields are unknown.', 'এসএমএসটি পড়া যায়নি। এর তথ্য অজানা।'],
  intent: ['What the intent expects', 'ইনটেন্ট যা চায়'],
  openPayment: ['Show the payment', 'পেমেন্ট দেখুন'],
  openSms: ['Show the SMS', 'এসএমএস দেখুন'],
  noIntent: ['No intent is linked to this SMS.', 'এই এসএমএসের সাথে কোনো ইনটেন্ট যুক্ত নেই।'],
  sevenChecks: ['The seven checks', 'সাতটি যাচাই'],
  noChecks: ['The checks were not made because no intent matched.', 'কোনো ইনটেন্ট না মেলায় যাচাই হয়নি।'],
  doubts: ['Doubts', 'সন্দেহ'],
  paidInTime: [
    'According to the SMS the customer paid before the intent expired.',
    'এসএমএস অনুযায়ী গ্রাহক মেয়াদ শেষ হওয়ার আগে পরিশোধ করেছেন।',
  ],
  paidLate: [
    'According to the SMS the customer paid after the intent expired.',
    'এসএমএস অনুযায়ী গ্রাহক মেয়াদ শেষ হওয়ার পরে পরিশোধ করেছেন।',
  ],
  suggestions: ['Suggestions', 'পরামর্শ'],
  candidates: ['Possible intents', 'সম্ভাব্য ইনটেন্ট'],
  linkThis: ['Link to this intent', 'এই ইনটেন্টে যুক্ত করুন'],
  stillInReview: ['Intents still in review because of this SMS', 'এই এসএমএসের কারণে এখনো যাচাইয়ে থাকা ইনটেন্ট'],
  rejectThis: ['Reject this intent', 'এই ইনটেন্ট বাতিল করুন'],
  rejectsByName: [
    'This intent becomes REJECTED and your shop receives payment.rejected. The exception does not change. No money is returned.',
    'এই ইনটেন্ট REJECTED হবে এবং আপনার দোকান payment.rejected পাবে। তালিকার এই বিষয়টি বদলাবে না। টাকা ফেরত যায় না।',
  ],
  rejectsDispute: [
    'The claim is unfounded. If its intent is in review and no other open exception leads to it, the intent becomes REJECTED.',
    'দাবিটি ভিত্তিহীন। এর ইনটেন্ট যাচাইয়ে থাকলে এবং অন্য কোনো খোলা যাচাইয়ে না থাকলে ইনটেন্টটি REJECTED হবে।',
  ],
  next: ['Next exception', 'পরের যাচাই'],
  history: ['History', 'ইতিহাস'],
  decide: ['Decide', 'সিদ্ধান্ত দিন'],
  nothingToDo: ['This exception is closed.', 'এটি বন্ধ করা হয়েছে।'],
  reason: ['Reason', 'কারণ'],
  reasonHint: ['Stored in the audit log.', 'অডিট লগে রাখা হয়।'],
  differencePositive: [
    (amount: string) => `${amount} more than expected`,
    (amount: string) => `প্রত্যাশার চেয়ে ${amount} বেশি`,
  ],
  differenceNegative: [
    (amount: string) => `${amount} less than expected`,
    (amount: string) => `প্রত্যাশার চেয়ে ${amount} কম`,
  ],
  conflictTitle: ['Another reviewer has already decided', 'অন্য একজন আগেই সিদ্ধান্ত দিয়েছেন'],
  conflictText: [
    'Your decision was not applied. This page now shows the current state.',
    'আপনার সিদ্ধান্ত কার্যকর হয়নি। পাতাটিতে এখন বর্তমান অবস্থা দেখানো হচ্ছে।',
  ],
  unknownTitle: ['It is not known whether the decision was applied', 'সিদ্ধান্ত কার্যকর হয়েছে কি না জানা যায়নি'],
  unknownText: ['Repeat it: the same decision is applied only once.', 'আবার পাঠান: একই সিদ্ধান্ত একবারই কার্যকর হয়।'],
  done: ['The decision was applied.', 'সিদ্ধান্ত কার্যকর হয়েছে।'],
  intentToLink: ['Intent id to link', 'যে ইনটেন্টে যুক্ত হবে তার আইডি'],
  intentIdWrong: ['Enter the id of an intent.', 'একটি ইনটেন্টের আইডি লিখুন।'],
  back: ['All exceptions', 'পুরো তালিকা'],
  cancel: ['Cancel', 'বাদ দিন'],
  dispute: [
    'A second customer claimed the TrxID of a payment that was already counted.',
    'আগেই গণনা হওয়া পেমেন্টের TrxID দ্বিতীয় একজন গ্রাহক দাবি করেছেন।',
  ],
  takeOver: ['Assign to me', 'আমি দায়িত্ব নিচ্ছি'],
  assigned: ['Assigned to you.', 'আপনার দায়িত্বে।'],
  assignedOther: ['Another reviewer has taken this exception.', 'অন্য একজন যাচাইকারী এটি নিয়েছেন।'],
  assignReason: ['Taken over', 'দায়িত্ব নেওয়া হলো'],
  actions: {
    resolve: ['Approve the payment', 'পেমেন্ট অনুমোদন'],
    link: ['Link to another intent', 'অন্য ইনটেন্টে যুক্ত করুন'],
    reject: ['Reject the payment', 'পেমেন্ট বাতিল'],
    refunded: ['Close as refunded', 'ফেরত দেওয়া হয়েছে বলে বন্ধ করুন'],
    'not-ours': ['Close: not our payment', 'বন্ধ করুন: আমাদের পেমেন্ট নয়'],
    reopen: ['Open again', 'আবার খুলুন'],
    assign: ['Assigned', 'দায়িত্ব দেওয়া'],
  } satisfies Each<Action>,
  consequences: {
    resolve: [
      'The intent becomes PAID and your shop receives payment.paid. This cannot be undone.',
      'ইনটেন্ট PAID হবে এবং আপনার দোকান payment.paid পাবে। এটি ফেরানো যায় না।',
    ],
    link: [
      'The chosen intent becomes PAID and your shop receives payment.paid. This cannot be undone.',
      'বাছাই করা ইনটেন্ট PAID হবে এবং আপনার দোকান payment.paid পাবে। এটি ফেরানো যায় না।',
    ],
    reject: [
      'The intent becomes REJECTED, and this SMS will not pay any intent automatically. No money is returned.',
      'ইনটেন্ট REJECTED হবে এবং এই এসএমএস আর কোনো ইনটেন্ট পরিশোধ করবে না। টাকা ফেরত যায় না।',
    ],
    refunded: [
      'Closes this exception. No money is transferred by this action: return it in your wallet app first.',
      'এটি বন্ধ হবে। এতে টাকা ফেরত যায় না: আগে ওয়ালেট অ্যাপ থেকে ফেরত দিন।',
    ],
    'not-ours': [
      'Closes this exception. The SMS will not pay any intent automatically. No intent changes.',
      'এটি বন্ধ হবে। এসএমএসটি আর কোনো ইনটেন্ট পরিশোধ করবে না। কোনো ইনটেন্ট বদলাবে না।',
    ],
    reopen: [
      'The exception is put back into the queue, unless its SMS now fits an open intent: then that intent becomes PAID.',
      'এটি আবার তালিকায় আসবে। তবে এসএমএসটি এখন কোনো খোলা ইনটেন্টের সঙ্গে মিললে সেই ইনটেন্ট PAID হবে।',
    ],
    assign: ['', ''],
  } satisfies Each<Action>,
  acknowledge: {
    AMOUNT_DIFFERS: [
      (expected: string, received: string) => `I accept ${received} instead of ${expected} for this intent.`,
      (expected: string, received: string) => `এই ইনটেন্টের জন্য ${expected} এর বদলে ${received} মেনে নিচ্ছি।`,
    ],
    METHOD_DIFFERS: [
      'I accept a payment by a method that the customer was not shown.',
      'গ্রাহককে দেখানো হয়নি এমন মাধ্যমের পেমেন্ট মেনে নিচ্ছি।',
    ],
    RECEIVER_DIFFERS: [
      'I accept a payment to a number that the customer was not shown.',
      'গ্রাহককে দেখানো হয়নি এমন নম্বরের পেমেন্ট মেনে নিচ্ছি।',
    ],
    doubt: [
      (reason: string) => `I have checked this and approve the payment anyway: ${reason}`,
      (reason: string) => `এটি যাচাই করেছি, তবু পেমেন্ট অনুমোদন করছি: ${reason}`,
    ],
    NAMES_ANOTHER_INTENT: [
      'I accept a payment whose SMS contains the reference of another unpaid intent.',
      'এসএমএসে অন্য অপরিশোধিত ইনটেন্টের রেফারেন্স থাকলেও পেমেন্ট মেনে নিচ্ছি।',
    ],
  },
});
