import type { MissingSmsStatus } from '@pay/contracts';
import type { Each } from '../text/pairs';
import { sectionWords } from '../text/section-words';

export const useBalanceWords = sectionWords({
  missing: {
    title: ['Missing SMS', 'না-আসা এসএমএস'],
    subtitle: ['Money that moved on a wallet while no SMS tells of it', 'ওয়ালেটে টাকা নড়েছে, কিন্তু কোনো এসএমএস আসেনি'],
    empty: ['No SMS is missing.', 'কোনো এসএমএস বাদ পড়েনি।'],
    emptyText: ['The balances in the SMS follow from each other.', 'এসএমএসের ব্যালেন্সগুলো একটির পর একটি মেলে।'],
    emptyFiltered: ['No missing SMS matches this filter.', 'এই ফিল্টারে কিছু নেই।'],
    status: ['Status', 'অবস্থা'],
    statuses: {
      OPEN: ['Open', 'খোলা'],
      EXPLAINED: ['Explained', 'মিলেছে'],
    } satisfies Each<MissingSmsStatus>,
    received: [
      (amount: string) => `${amount} received without an SMS`,
      (amount: string) => `এসএমএস ছাড়া ${amount} এসেছে`,
    ],
    sent: [(amount: string) => `${amount} sent without an SMS`, (amount: string) => `এসএমএস ছাড়া ${amount} গেছে`],
    between: ['Between', 'এই সময়ের মধ্যে'],
    found: ['Found', 'ধরা পড়েছে'],
    advice: [
      'The phone is asked to send them again. SMS that come late close the gap.',
      'ফোনকে আবার পাঠাতে বলা হয়। দেরিতে আসা এসএমএস ফাঁক পূরণ করে।',
    ],
  },
  close: {
    title: ['Daily close', 'দিনের হিসাব'],
    subtitle: ['Balances and money of one day, computed from the SMS', 'এসএমএস থেকে হিসাব করা এক দিনের ব্যালেন্স ও টাকা'],
    day: ['Day (Dhaka)', 'দিন (ঢাকা)'],
    empty: ['No receiving numbers yet.', 'এখনো কোনো গ্রহণকারী নম্বর নেই।'],
    emptyText: ['The close has one part per receiving number.', 'প্রতিটি গ্রহণকারী নম্বরের জন্য হিসাবের একটি অংশ থাকে।'],
    asOf: [(time: string) => `As of ${time}`, (time: string) => `${time} পর্যন্ত`],
    notOver: ['The day is not over yet.', 'দিনটি এখনো শেষ হয়নি।'],
    opening: ['Opening balance', 'শুরুর ব্যালেন্স'],
    matched: ['Received for orders', 'অর্ডারের জন্য প্রাপ্ত'],
    unmatched: ['Received without an order', 'অর্ডার ছাড়া প্রাপ্ত'],
    other: ['Other money received', 'অন্যান্য প্রাপ্তি'],
    outgoing: ['Sent', 'পাঠানো'],
    fees: ['Fees', 'ফি'],
    commissions: ['Commissions', 'কমিশন'],
    adjustments: ['Adjustments', 'সমন্বয়'],
    closing: ['Closing balance', 'শেষ ব্যালেন্স'],
    expected: ['Expected balance', 'প্রত্যাশিত ব্যালেন্স'],
    difference: ['Difference', 'পার্থক্য'],
    differenceHint: ['An amount that no SMS explains.', 'যে পরিমাণ কোনো এসএমএস ব্যাখ্যা করে না।'],
    doubtful: ['Doubtful SMS', 'সন্দেহজনক এসএমএস'],
    missing: ['Missing SMS', 'না-আসা এসএমএস'],
    times: [(count: string) => `${count} SMS`, (count: string) => `${count}টি এসএমএস`],
    chart: ['Balances of 14 days', '১৪ দিনের ব্যালেন্স'],
    chartText: [
      'Closing balance of the chosen day and the 13 days before it. A day without a known balance is left out.',
      'বেছে নেওয়া দিন ও তার আগের ১৩ দিনের শেষ ব্যালেন্স। ব্যালেন্স জানা না থাকলে দিনটি বাদ থাকে।',
    ],
    asTable: ['Show as a table', 'টেবিলে দেখুন'],
    date: ['Day', 'দিন'],
    withoutOrder: ['Money without an order', 'অর্ডার ছাড়া টাকা'],
    csv: ['Download the close as CSV', 'হিসাবের CSV ডাউনলোড'],
    csvMoney: ['Money without an order as CSV', 'অর্ডার ছাড়া টাকার CSV ডাউনলোড'],
  },
});
