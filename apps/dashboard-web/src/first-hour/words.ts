import type { Text } from '../text/pairs';
import { sectionWords } from '../text/section-words';
import type { LiveStep, SandboxStep } from './progress';

interface StepWords {
  readonly title: Text;
  readonly text: Text;
}
interface LinkedStepWords extends StepWords {
  readonly link: Text;
}

export const useFirstHourWords = sectionWords({
  title: ['First hour', 'প্রথম ঘণ্টা'],
  subtitle: [
    'Four steps to a paid test order. The system checks each step automatically.',
    'পরিশোধিত পরীক্ষামূলক অর্ডারের জন্য চার ধাপ। প্রতিটি ধাপ সিস্টেম নিজেই যাচাই করে।',
  ],
  liveTitle: ['Checklist for LIVE', 'LIVE-এর চেকলিস্ট'],
  liveSubtitle: [
    'Before you take real money. The system checks each step automatically.',
    'আসল টাকা নেওয়ার আগে। প্রতিটি ধাপ সিস্টেম নিজেই যাচাই করে।',
  ],
  done: ['Done', 'সম্পন্ন'],
  open: ['Open', 'বাকি'],
  unknown: ['Not visible to you', 'আপনার জন্য দৃশ্যমান নয়'],
  progress: [
    (done: string, all: string) => `${done} of ${all} steps are done`,
    (done: string, all: string) => `${all}টির মধ্যে ${done}টি ধাপ সম্পন্ন`,
  ],
  sandboxDone: ['Your first test order is paid.', 'আপনার প্রথম পরীক্ষামূলক অর্ডার পরিশোধিত হয়েছে।'],
  toLive: ['Go on with the checklist for LIVE', 'LIVE-এর চেকলিস্টে যান'],
  sandbox: {
    receiver: {
      title: ['Enter the number that receives money', 'যে নম্বরে টাকা আসবে তা দিন'],
      text: [
        'Customers send money to this wallet. In SANDBOX no money moves, so any number will do.',
        'গ্রাহক এই ওয়ালেটে টাকা পাঠান। SANDBOX-এ টাকা লেনদেন হয় না, তাই যেকোনো নম্বর চলবে।',
      ],
    },
    apiKey: {
      title: ['Create an API key', 'একটি API কী তৈরি করুন'],
      text: [
        'Your shop creates payments with it. Store it in the settings of your shop.',
        'আপনার দোকান এটি দিয়ে পেমেন্ট তৈরি করে। দোকানের সেটিংসে রাখুন।',
      ],
    },
    endpoint: {
      title: ['Choose where webhooks go', 'ওয়েবহুক কোথায় যাবে বাছুন'],
      text: [
        'Your shop is notified of each paid order. If its server is not ready, use the hosted endpoint, which shows every request.',
        'প্রতিটি পরিশোধিত অর্ডারের খবর দোকান পায়। সার্ভার তৈরি না থাকলে হোস্ট করা এন্ডপয়েন্ট নিন; সব অনুরোধ সেখানে দেখা যায়।',
      ],
    },
    paid: {
      title: ['Get an order paid', 'একটি অর্ডার পরিশোধ করান'],
      text: [
        'An order is created, the SMS of its payment is simulated, and the webhook is delivered.',
        'একটি অর্ডার তৈরি হয়, তার এসএমএস সিমুলেট হয় এবং ওয়েবহুক পৌঁছায়।',
      ],
    },
    addReceiver: ['Add a number', 'নম্বর যোগ করুন'],
    useHosted: ['Use the hosted endpoint', 'হোস্ট করা এন্ডপয়েন্ট নিন'],
    ownEndpoint: ['Add the endpoint of your shop', 'দোকানের এন্ডপয়েন্ট যোগ করুন'],
    play: ['Play a paid order', 'পরিশোধিত অর্ডার চালান'],
    receiverFirst: ['Add a receiving number first.', 'আগে একটি গ্রহণকারী নম্বর যোগ করুন।'],
    played: ['The order is paid.', 'অর্ডার পরিশোধিত হয়েছে।'],
    showPayment: ['Show the payment', 'পেমেন্ট দেখুন'],
    notPlayed: ['Not everything went as expected.', 'সবকিছু প্রত্যাশামতো হয়নি।'],
    showRun: ['Show what happened', 'কী হয়েছে দেখুন'],
    ownShop: ['Or create the order from your own shop', 'অথবা নিজের দোকান থেকে অর্ডার তৈরি করুন'],
    simulator: ['Then simulate its SMS', 'তারপর এর এসএমএস সিমুলেট করুন'],
  } satisfies Readonly<Record<SandboxStep, StepWords>> & Readonly<Record<string, StepWords | Text>>,
  live: {
    testCases: {
      title: ['All test cases pass', 'সব টেস্ট কেস উত্তীর্ণ'],
      text: [
        'Run all test cases in SANDBOX with your own endpoint. The newest run of each counts.',
        'নিজের এন্ডপয়েন্ট দিয়ে SANDBOX-এ সব টেস্ট কেস চালান। প্রতিটির সর্বশেষ রান গণ্য।',
      ],
      link: ['Run the test cases', 'টেস্ট কেস চালান'],
    },
    secondFactor: {
      title: ['Your account has a second factor', 'আপনার অ্যাকাউন্টে দ্বিতীয় ধাপ আছে'],
      text: [
        'A stolen password alone must not reach real money.',
        'শুধু চুরি হওয়া পাসওয়ার্ডে যেন আসল টাকায় পৌঁছানো না যায়।',
      ],
      link: ['Turn it on', 'চালু করুন'],
    },
    support: {
      title: ['Customers can reach you', 'গ্রাহক আপনার সঙ্গে যোগাযোগ করতে পারেন'],
      text: [
        'A phone number or an e-mail address is shown on the payment page.',
        'পেমেন্ট পাতায় ফোন নম্বর বা ইমেইল দেখানো হয়।',
      ],
      link: ['Enter a contact', 'যোগাযোগের তথ্য দিন'],
    },
    receiver: {
      title: ['A LIVE number receives money', 'একটি LIVE নম্বরে টাকা আসে'],
      text: ['The number of your bKash or Nagad wallet.', 'আপনার বিকাশ বা নগদ ওয়ালেটের নম্বর।'],
      link: ['Add a receiving number', 'গ্রহণকারী নম্বর যোগ করুন'],
    },
    phone: {
      title: ['Each LIVE number has a phone that is online', 'প্রতিটি LIVE নম্বরের ফোন অনলাইনে আছে'],
      text: [
        'The phone forwards the SMS of the wallet. Without it, paid orders stay pending.',
        'ফোন ওয়ালেটের এসএমএস পাঠায়। না থাকলে পরিশোধিত অর্ডারও অপেক্ষায় থাকে।',
      ],
      link: ['Connect a phone', 'ফোন সংযুক্ত করুন'],
    },
    apiKey: {
      title: ['A LIVE key exists', 'একটি LIVE কী আছে'],
      text: ['Replace the SANDBOX key in the settings of your shop.', 'দোকানের সেটিংসে SANDBOX কী বদলে এটি দিন।'],
      link: ['Create a LIVE key', 'LIVE কী তৈরি করুন'],
    },
    endpoint: {
      title: ['A LIVE endpoint is verified', 'একটি LIVE এন্ডপয়েন্ট যাচাই করা'],
      text: [
        'Webhooks are held until the endpoint has answered the verification.',
        'এন্ডপয়েন্ট যাচাইয়ের উত্তর না দেওয়া পর্যন্ত ওয়েবহুক আটকে থাকে।',
      ],
      link: ['Add and verify an endpoint', 'এন্ডপয়েন্ট যোগ ও যাচাই করুন'],
    },
    keyUsed: {
      title: ['Your shop has used its LIVE key', 'দোকান LIVE কী ব্যবহার করেছে'],
      text: ['Noticed up to a minute after the first request.', 'প্রথম অনুরোধের পর এক মিনিটের মধ্যে দেখা যায়।'],
      link: ['Look at the last use', 'শেষ ব্যবহার দেখুন'],
    },
    paid: {
      title: ['The first LIVE payment is paid', 'প্রথম LIVE পেমেন্ট পরিশোধিত'],
      text: ['Order something small in your own shop and pay it.', 'নিজের দোকানে ছোট কিছু অর্ডার করে পরিশোধ করুন।'],
      link: ['Show payments', 'পেমেন্ট দেখুন'],
    },
  } satisfies Readonly<Record<LiveStep, LinkedStepWords>>,
});
