import type { TestCaseKey } from '@pay/contracts';
import type { ENDPOINT_CASES } from './cases/endpoint-cases';
import type { OUTCOME_CASES } from './cases/outcome-cases';
import type { PAYMENT_CASES } from './cases/payment-cases';
import type { SHOP_CASES } from './cases/shop-cases';

type Cases = typeof PAYMENT_CASES & typeof OUTCOME_CASES & typeof ENDPOINT_CASES & typeof SHOP_CASES;
type AsManyAs<Texts extends readonly string[]> = { readonly [Place in keyof Texts]: string };

/** Must have as many sentences as the English texts. */
type BanglaTexts = {
  readonly [Key in TestCaseKey]: {
    readonly title: string;
    readonly purpose: string;
    readonly steps: AsManyAs<Cases[Key]['steps']>;
    readonly expected: AsManyAs<Cases[Key]['expected']>;
  };
};

const CREATE = 'একটি ইনটেন্ট তৈরি করুন।';
const CREATE_TWO = 'দুটি ইনটেন্ট তৈরি করুন।';
const SIMULATE = 'এর পেমেন্টের এসএমএস সিমুলেট করুন।';
const WITHOUT_REFERENCE = 'রেফারেন্স ছাড়া এসএমএস সিমুলেট করুন।';
const SUBMIT = 'চেকআউটে এর TrxID জমা দিন।';
const ADVANCE = 'পরীক্ষার ঘড়ি মেয়াদ শেষের পরে এগিয়ে নিন।';
const LESS = 'Tk 1 কম টাকার পেমেন্ট সিমুলেট করুন।';
const PAID = 'ইনটেন্টটি PAID হয়।';
const PAID_DELIVERED = 'payment.paid পৌঁছায়।';
const PAID_NOT_SENT = 'payment.paid পাঠানো হয় না।';
const EXPIRED = 'ইনটেন্টটি EXPIRED হয়।';
const SECOND_ATTEMPT = 'দ্বিতীয় চেষ্টা একই আইডি ও বডি নিয়ে 200 পায়।';
const NOT_FULFILLED = 'শপ অর্ডারটি সরবরাহ করেনি।';

export const BANGLA_TEXTS: BanglaTexts = {
  'paid-by-reference': {
    title: 'রেফারেন্স দিয়ে পরিশোধ',
    purpose: 'সাধারণ পেমেন্ট: ক্রেতা রেফারেন্স দেন, আর শপ খবর পায়।',
    steps: [CREATE, 'এর রেফারেন্স ও টাকাসহ পেমেন্টের এসএমএস সিমুলেট করুন।'],
    expected: [
      'ম্যাচটি MATCHED হয় এবং সব পরীক্ষায় উত্তীর্ণ হয়।',
      PAID,
      PAID_DELIVERED,
      'শপ 2xx উত্তর দেওয়ার আগেই ইভেন্টটি জমা করে, এবং অর্ডারটি সরবরাহ করে।',
    ],
  },
  'paid-by-trx-id-before-sms': {
    title: 'TrxID দিয়ে পরিশোধ, এসএমএস আসার আগে জমা',
    purpose: 'ক্রেতা রেফারেন্স দিতে ভুলে গেছেন, আর ফোন এসএমএস পাঠানোর আগেই TrxID জমা দেন।',
    steps: [CREATE, 'চেকআউটে TrxID জমা দিন।', WITHOUT_REFERENCE],
    expected: ['প্রথমে TrxID পাওয়া যায় না।', 'এসএমএস আসার পরে ইনটেন্টটি PAID হয়।', PAID_DELIVERED],
  },
  'paid-by-trx-id-after-sms': {
    title: 'TrxID দিয়ে পরিশোধ, এসএমএস আসার পরে জমা',
    purpose: 'ক্রেতা রেফারেন্স দিতে ভুলে গেছেন; ক্রেতা TrxID জমা দেওয়া পর্যন্ত এসএমএসটি অপেক্ষা করে।',
    steps: [CREATE, WITHOUT_REFERENCE, SUBMIT],
    expected: ['উত্তরটি matched: true, trx_id_match।', PAID, PAID_DELIVERED],
  },
  'cash-out-by-trx-id': {
    title: 'TrxID দিয়ে ক্যাশ আউট বা নগদ পেমেন্ট',
    purpose: 'ক্যাশ আউট ও নগদ পেমেন্টের এসএমএসে রেফারেন্স থাকে না, তাই ক্রেতা TrxID জমা দেন।',
    steps: ['এমন মাধ্যমের ইনটেন্ট তৈরি করুন যার এসএমএসে রেফারেন্স থাকে না।', 'এর এসএমএস সিমুলেট করুন।', SUBMIT],
    expected: [PAID, PAID_DELIVERED],
  },
  'wrong-amount': {
    title: 'ভুল পরিমাণ টাকা',
    purpose: 'রেফারেন্স ঠিক কিন্তু টাকা ভিন্ন হলে পেমেন্টটি যাচাই করতে হয়।',
    steps: [CREATE, 'এর রেফারেন্স ও Tk 1 কম টাকার এসএমএস সিমুলেট করুন।'],
    expected: ['টাকার পরীক্ষা ব্যর্থ হয়।', 'ইনটেন্টটি REVIEW_REQUIRED হয়।', 'payment.review_required পৌঁছায়।'],
  },
  'missing-reference-then-trx-id': {
    title: 'রেফারেন্স নেই, পরে TrxID',
    purpose: 'রেফারেন্স ছাড়া এসএমএসে কিছু পরিশোধ হয় না, যতক্ষণ না ক্রেতা এর TrxID জমা দেন।',
    steps: [CREATE, WITHOUT_REFERENCE, SUBMIT],
    expected: ['ম্যাচটি PENDING হয় এবং ইনটেন্টটি PENDING থাকে।', 'TrxID জমার পরে ইনটেন্টটি PAID হয়।'],
  },
  'wrong-receiver': {
    title: 'ভুল গ্রহণকারী',
    purpose: 'অন্য নম্বরে যাওয়া টাকায় ইনটেন্টটি নিজে থেকে পরিশোধ হয় না।',
    steps: [CREATE, 'এর রেফারেন্সসহ এসএমএস এমন নম্বরে সিমুলেট করুন যা এর গ্রহণকারী নয়।'],
    expected: ['গ্রহণকারীর পরীক্ষা ব্যর্থ হয়।', 'ইনটেন্টটি PAID হয় না।', PAID_NOT_SENT],
  },
  'wrong-method': {
    title: 'ভুল মাধ্যম',
    purpose: 'ইনটেন্টে দেখানো মাধ্যম ছাড়া অন্য মাধ্যমে আসা টাকায় এটি নিজে থেকে পরিশোধ হয় না।',
    steps: [CREATE, 'এর রেফারেন্সসহ এসএমএস অন্য মাধ্যমের ওয়ালেটে সিমুলেট করুন।'],
    expected: ['মাধ্যমের পরীক্ষা ব্যর্থ হয়।', 'ইনটেন্টটি PAID হয় না।', PAID_NOT_SENT],
  },
  'trx-id-of-another-order': {
    title: 'অন্য অর্ডারের TrxID',
    purpose: 'ক্রেতা এমন পেমেন্টের TrxID জমা দেন যা দিয়ে আরেকটি অর্ডার পরিশোধ হয়েছে।',
    steps: [CREATE_TWO, 'প্রথমটি রেফারেন্স দিয়ে পরিশোধ করুন।', 'দ্বিতীয়টির চেকআউটে সেই TrxID জমা দিন।'],
    expected: ['উত্তরটি 409 duplicate_trx_id।', 'দ্বিতীয় ইনটেন্ট PENDING থাকে।'],
  },
  'duplicate-trx-id': {
    title: 'একই TrxID দুবার',
    purpose: 'ব্যবহার হয়ে যাওয়া TrxID-র দ্বিতীয় এসএমএসে কিছু পরিশোধ হয় না।',
    steps: [CREATE_TWO, 'প্রথমটি পরিশোধ করুন।', 'দ্বিতীয়টির জন্য একই TrxID-র এসএমএস সিমুলেট করুন।'],
    expected: ['দ্বিতীয় ম্যাচটি DUPLICATE হয়।', 'দ্বিতীয় ইনটেন্ট PENDING থাকে।'],
  },
  'second-payment': {
    title: 'এক অর্ডারে দ্বিতীয় পেমেন্ট',
    purpose: 'ক্রেতা দুবার টাকা দেন। অর্ডারটি একবার সরবরাহ হয়, আর দ্বিতীয় পেমেন্ট যাচাই করতে হয়।',
    steps: [CREATE, 'রেফারেন্স দিয়ে এটি পরিশোধ করুন।', 'রেফারেন্স দিয়ে এটি আবার পরিশোধ করুন।'],
    expected: ['দ্বিতীয় ম্যাচটি যাচাই করতে হয়।', 'ইনটেন্টটি PAID থাকে।', 'payment.paid একবার পাঠানো হয়।'],
  },
  'forged-text': {
    title: 'জাল এসএমএস',
    purpose: 'ব্যক্তিগত নম্বর থেকে আসা, প্রোভাইডারের ভাষায় লেখা এসএমএস কিছু নিশ্চিত করে না।',
    steps: [CREATE, 'ব্যক্তিগত নম্বর থেকে হুবহু একই লেখা সিমুলেট করুন।'],
    expected: ['এসএমএসটি UNPARSED হয়, কারণ untrusted_sender।', 'ইনটেন্টটি PENDING থাকে।'],
  },
  'late-payment': {
    title: 'দেরিতে পেমেন্ট',
    purpose: 'মেয়াদ শেষের পরের পেমেন্টে ইনটেন্টটি নিজে থেকে পরিশোধ হয় না।',
    steps: [CREATE, ADVANCE, SIMULATE],
    expected: [EXPIRED, 'payment.expired পৌঁছায়।', 'ম্যাচটি যাচাই করতে হয়, কারণ late_payment।', PAID_NOT_SENT],
  },
  expired: {
    title: 'মেয়াদোত্তীর্ণ',
    purpose: 'ক্রেতা সময়মতো টাকা দেন না।',
    steps: [CREATE, ADVANCE, 'চেকআউটে একটি TrxID জমা দিন।'],
    expected: [EXPIRED, 'payment.expired পৌঁছায়।', 'TrxID-র উত্তর 409 INTENT_EXPIRED।'],
  },
  cancelled: {
    title: 'বাতিল করা চেকআউট',
    purpose: 'ক্রেতা চেকআউট বাতিল করেন। ইনটেন্টটি PENDING থাকে এবং এখনো পরিশোধ করা যায়।',
    steps: [CREATE, 'চেকআউট বাতিল করুন।', SIMULATE],
    expected: ['বাতিলের পরে ইনটেন্টটি PENDING থাকে।', 'পেমেন্টের পরে এটি PAID হয়।'],
  },
  'rejected-by-reviewer': {
    title: 'যাচাইকারী বাতিল করেছেন',
    purpose: 'যাচাইকারী ভুল পরিমাণ টাকার পেমেন্ট বাতিল করেন।',
    steps: [CREATE, LESS, 'যাচাইকারী হিসেবে এটি বাতিল করুন।'],
    expected: ['ইনটেন্টটি REJECTED হয়।', 'payment.rejected পৌঁছায়।', PAID_NOT_SENT],
  },
  'approved-by-reviewer': {
    title: 'যাচাইকারী অনুমোদন করেছেন',
    purpose: 'যাচাইকারী ভুল পরিমাণ টাকার পেমেন্ট অনুমোদন করেন।',
    steps: [CREATE, LESS, 'যাচাইকারী হিসেবে এটি অনুমোদন করুন।'],
    expected: [PAID, PAID_DELIVERED],
  },
  'endpoint-fails-once': {
    title: 'এন্ডপয়েন্ট প্রথমে 500, পরে 200 দেয়',
    purpose: 'ত্রুটির পরে ওয়েবহুক একই আইডি ও বডি নিয়ে আবার পাঠানো হয়।',
    steps: [CREATE, 'পরীক্ষার এন্ডপয়েন্টকে এর প্রথম ওয়েবহুকে 500 দিতে বলুন।', SIMULATE],
    expected: ['প্রথম চেষ্টা 500 পায়।', SECOND_ATTEMPT],
  },
  'endpoint-hangs': {
    title: 'এন্ডপয়েন্ট সাড়া দেয় না',
    purpose: 'সময় শেষ হলে ওয়েবহুক একই আইডি ও বডি নিয়ে আবার পাঠানো হয়।',
    steps: [CREATE, 'পরীক্ষার এন্ডপয়েন্টকে এর প্রথম ওয়েবহুকে সময়মতো উত্তর না দিতে বলুন।', SIMULATE],
    expected: ['প্রথম চেষ্টার সময় শেষ হয়ে যায়।', SECOND_ATTEMPT],
  },
  'silent-phone': {
    title: 'নীরব ফোন',
    purpose: 'সময়মতো করা পেমেন্টের এসএমএস ফোন ইনটেন্টের মেয়াদ শেষের পরে পাঠায়।',
    steps: [CREATE, 'এসএমএস আসেনি এমন পেমেন্টের TrxID জমা দিন।', ADVANCE, 'পেমেন্টের সময়সহ এসএমএসটি সিমুলেট করুন।'],
    expected: [EXPIRED, 'ম্যাচটি যাচাই করতে হয় এবং জানায় যে পেমেন্টটি সময়মতো হয়েছিল।'],
  },
  'forged-webhook': {
    title: 'জাল ওয়েবহুক',
    purpose: 'এন্ডপয়েন্টে যে কেউ অনুরোধ পাঠাতে পারে। শপকে স্বাক্ষর যাচাই করতে হবে।',
    steps: [CREATE, 'প্রতিটি এন্ডপয়েন্টে ভুল স্বাক্ষরসহ payment.paid পাঠান।'],
    expected: ['এন্ডপয়েন্ট 4xx উত্তর দেয়।', NOT_FULFILLED],
  },
  'redirect-without-payment': {
    title: 'পেমেন্ট ছাড়া রিডাইরেক্ট',
    purpose: 'ব্রাউজার যেকোনো সময় সাফল্যের পাতা খুলতে পারে। সে কারণে শপ যেন সরবরাহ না করে।',
    steps: [CREATE, 'কিছু পরিশোধ না করেই status=PAID দিয়ে successUrl খুলুন।'],
    expected: [NOT_FULFILLED],
  },
  'other-environment': {
    title: 'অন্য পরিবেশের ইভেন্ট',
    purpose: 'শপকে `environment` নিজেরটির সঙ্গে মিলিয়ে দেখতে হবে: টাকা শুধু LIVE-এ পরিশোধ হয়।',
    steps: [CREATE, 'সঠিক স্বাক্ষর ও OTHER পরিবেশসহ payment.paid পাঠান।'],
    expected: [NOT_FULFILLED],
  },
};
