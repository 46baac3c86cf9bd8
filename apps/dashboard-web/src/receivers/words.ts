import type { NumberProofResponse } from '@pay/contracts';
import type { Each } from '../text/pairs';
import { sectionWords } from '../text/section-words';

/** The operation of each action. */
export const OPERATION_OF = {
  create: 'createReceiverAccount',
  change: 'changeReceiverAccount',
  activate: 'activateReceiverAccount',
  deactivate: 'deactivateReceiverAccount',
} as const;
export type ReceiverAction = keyof typeof OPERATION_OF;

export const useReceiverWords = sectionWords({
  title: ['Receivers', 'গ্রহণকারী নম্বর'],
  subtitle: ['The wallet numbers that your customers pay to', 'যেসব ওয়ালেট নম্বরে গ্রাহক টাকা পাঠান'],
  methods: ['Payment methods', 'পেমেন্ট মাধ্যম'],
  methodsText: [
    'Customers can use an enabled method that has an active receiving number. The same for SANDBOX and LIVE.',
    'চালু মাধ্যম ও সক্রিয় নম্বর থাকলে গ্রাহক সেটি ব্যবহার করতে পারেন। SANDBOX ও LIVE দুটিতেই একই।',
  ],
  enabled: ['Enabled', 'চালু'],
  disabled: ['Disabled', 'বন্ধ'],
  noAccount: ['No active receiving number', 'কোনো সক্রিয় নম্বর নেই'],
  enableMethod: ['Enable', 'চালু করুন'],
  disableMethod: ['Disable', 'বন্ধ করুন'],
  enableMethodText: [
    (method: string) => `Customers are offered ${method} from now on, in SANDBOX and LIVE.`,
    (method: string) => `এখন থেকে SANDBOX ও LIVE-এ গ্রাহককে ${method} দেখানো হবে।`,
  ],
  disableMethodText: [
    (method: string) =>
      `New payments cannot use ${method}, in SANDBOX and LIVE. Open payments by this method can still be paid.`,
    (method: string) =>
      `SANDBOX ও LIVE-এ নতুন পেমেন্টে ${method} ব্যবহার করা যাবে না। খোলা পেমেন্ট এ মাধ্যমে পরিশোধ করা যাবে।`,
  ],
  accounts: ['Receiving numbers', 'গ্রহণকারী নম্বরসমূহ'],
  empty: ['No receiving numbers yet.', 'এখনো কোনো গ্রহণকারী নম্বর নেই।'],
  emptyText: [
    'Add the number of your bKash or Nagad wallet. Without one no payment can be created.',
    'আপনার বিকাশ বা নগদ ওয়ালেটের নম্বর যোগ করুন। এটি ছাড়া পেমেন্ট তৈরি করা যায় না।',
  ],
  number: ['Wallet number', 'ওয়ালেট নম্বর'],
  label: ['Label', 'নাম'],
  labelHint: ['Only you see it.', 'শুধু আপনি দেখবেন।'],
  method: ['Payment method', 'পেমেন্ট মাধ্যম'],
  active: ['Active', 'সক্রিয়'],
  inactive: ['Inactive', 'নিষ্ক্রিয়'],
  today: ['Today', 'আজ'],
  month: ['This month', 'এই মাসে'],
  payments: ['Payments today', 'আজকের পেমেন্ট'],
  noLimit: ['no limit', 'সীমা নেই'],
  of: [
    (used: string, limit: string) => `${used} of ${limit}`,
    (used: string, limit: string) => `${limit} এর মধ্যে ${used}`,
  ],
  limitsText: [
    'An account that would exceed a limit is not offered to customers. Empty: no limit.',
    'সীমা ছাড়াবে এমন নম্বর গ্রাহককে দেখানো হয় না। খালি: সীমা নেই।',
  ],
  dailyAmount: ['Amount per day (Tk)', 'দৈনিক টাকা'],
  monthlyAmount: ['Amount per month (Tk)', 'মাসিক টাকা'],
  dailyCount: ['Payments per day', 'দৈনিক পেমেন্ট সংখ্যা'],
  usageFailed: ['The usage is not known at the moment.', 'এই মুহূর্তে ব্যবহারের তথ্য জানা যায়নি।'],
  wrongNumber: [
    'Enter a mobile number of Bangladesh, such as 01712345678.',
    '01712345678-এর মতো একটি মোবাইল নম্বর দিন।',
  ],
  actions: {
    create: ['Add a receiving number', 'নম্বর যোগ করুন'],
    change: ['Change', 'পরিবর্তন'],
    activate: ['Activate', 'সক্রিয় করুন'],
    deactivate: ['Deactivate', 'নিষ্ক্রিয় করুন'],
  } satisfies Each<ReceiverAction>,
  consequences: {
    create: [
      'Customers can see this number immediately. The phone of this number must forward its SMS.',
      'গ্রাহককে এখনই এই নম্বর দেখানো হতে পারে। এই নম্বরের ফোন থেকে এসএমএস ফরোয়ার্ড হতে হবে।',
    ],
    change: [
      'Limits count from the first day of the month and from midnight, in Dhaka.',
      'সীমা মাসের প্রথম দিন ও মধ্যরাত থেকে গোনা হয়, ঢাকার সময়ে।',
    ],
    activate: ['Customers can be shown this number again.', 'গ্রাহককে আবার এই নম্বর দেখানো হবে।'],
    deactivate: [
      'New payments do not use this number. Money that customers send to it for open payments still counts.',
      'নতুন পেমেন্টে এই নম্বর ব্যবহার হবে না। খোলা পেমেন্টের জন্য পাঠানো টাকা গণনা হবে।',
    ],
  } satisfies Each<ReceiverAction>,
  proofs: ['Proof of LIVE numbers', 'LIVE নম্বরের প্রমাণ'],
  proofsText: [
    'After you have proven a number, no other merchant can use it in LIVE.',
    'নম্বরটি আপনার প্রমাণ করলে অন্য কোনো মার্চেন্ট LIVE-এ সেটি ব্যবহার করতে পারবে না।',
  ],
  noProofs: ['No number was proven yet.', 'এখনো কোনো নম্বর প্রমাণ করা হয়নি।'],
  requestProof: ['Prove a number', 'নম্বর প্রমাণ করুন'],
  requestProofText: [
    'An operator sends a code to this number by SMS. Enter it here within a day.',
    'একজন অপারেটর এই নম্বরে এসএমএসে কোড পাঠাবেন। এক দিনের মধ্যে এখানে লিখুন।',
  ],
  enterCode: ['Enter the code', 'কোড লিখুন'],
  code: ['Code', 'কোড'],
  codeText: [
    'Five wrong codes close the request. LIVE accounts of other merchants with this number are deactivated.',
    'পাঁচবার ভুল কোড দিলে অনুরোধ বন্ধ হবে। এই নম্বরের অন্য মার্চেন্টের LIVE হিসাব নিষ্ক্রিয় হবে।',
  ],
  proofStates: {
    REQUESTED: ['Requested', 'অনুরোধ করা'],
    CODE_SENT: ['Code sent', 'কোড পাঠানো'],
    PROVEN: ['Proven', 'প্রমাণিত'],
    EXPIRED: ['Expired', 'মেয়াদ শেষ'],
    CLOSED: ['Closed', 'বন্ধ'],
  } satisfies Each<NumberProofResponse['status']>,
});
