import { sectionWords } from '../text/section-words';
import type { LiveStep, SandboxStep } from './progress';

interface StepWords {
  readonly title: string;
  readonly text: string;
}
interface LinkedStepWords extends StepWords {
  readonly link: string;
}

const en = {
  title: 'First hour',
  subtitle: 'Four steps to a paid test order. The system checks each step automatically.',
  liveTitle: 'Checklist for LIVE',
  liveSubtitle: 'Before you take real money. The system checks each step automatically.',
  done: 'Done',
  open: 'Open',
  unknown: 'Not visible to you',
  progress: (done: string, all: string) => `${done} of ${all} steps are done`,
  sandboxDone: 'Your first test order is paid.',
  toLive: 'Go on with the checklist for LIVE',
  sandbox: {
    receiver: {
      title: 'Enter the number that receives money',
      text: 'Customers send money to this wallet. In SANDBOX no money moves, so any number will do.',
    },
    apiKey: {
      title: 'Create an API key',
      text: 'Your shop creates payments with it. Store it in the settings of your shop.',
    },
    endpoint: {
      title: 'Choose where webhooks go',
      text: 'Your shop is notified of each paid order. If its server is not ready, use the hosted endpoint, which shows every request.',
    },
    paid: {
      title: 'Get an order paid',
      text: 'An order is created, the SMS of its payment is simulated, and the webhook is delivered.',
    },
    addReceiver: 'Add a number',
    useHosted: 'Use the hosted endpoint',
    ownEndpoint: 'Add the endpoint of your shop',
    play: 'Play a paid order',
    receiverFirst: 'Add a receiving number first.',
    played: 'The order is paid.',
    showPayment: 'Show the payment',
    notPlayed: 'Not everything went as expected.',
    showRun: 'Show what happened',
    ownShop: 'Or create the order from your own shop',
    simulator: 'Then simulate its SMS',
  } satisfies Readonly<Record<SandboxStep, StepWords>> & Readonly<Record<string, string | StepWords>>,
  live: {
    testCases: {
      title: 'All test cases pass',
      text: 'Run all test cases in SANDBOX with your own endpoint. The newest run of each counts.',
      link: 'Run the test cases',
    },
    secondFactor: {
      title: 'Your account has a second factor',
      text: 'A stolen password alone must not reach real money.',
      link: 'Turn it on',
    },
    support: {
      title: 'Customers can reach you',
      text: 'A phone number or an e-mail address is shown on the payment page.',
      link: 'Enter a contact',
    },
    receiver: {
      title: 'A LIVE number receives money',
      text: 'The number of your bKash or Nagad wallet.',
      link: 'Add a receiving number',
    },
    phone: {
      title: 'Each LIVE number has a phone that is online',
      text: 'The phone forwards the SMS of the wallet. Without it, paid orders stay pending.',
      link: 'Connect a phone',
    },
    apiKey: {
      title: 'A LIVE key exists',
      text: 'Replace the SANDBOX key in the settings of your shop.',
      link: 'Create a LIVE key',
    },
    endpoint: {
      title: 'A LIVE endpoint is verified',
      text: 'Webhooks are held until the endpoint has answered the verification.',
      link: 'Add and verify an endpoint',
    },
    keyUsed: {
      title: 'Your shop has used its LIVE key',
      text: 'Noticed up to a minute after the first request.',
      link: 'Look at the last use',
    },
    paid: {
      title: 'The first LIVE payment is paid',
      text: 'Order something small in your own shop and pay it.',
      link: 'Show payments',
    },
  } satisfies Readonly<Record<LiveStep, LinkedStepWords>>,
};

export const useFirstHourWords = sectionWords(en, {
  title: 'প্রথম ঘণ্টা',
  subtitle: 'পরিশোধিত পরীক্ষামূলক অর্ডারের জন্য চার ধাপ। প্রতিটি ধাপ সিস্টেম নিজেই যাচাই করে।',
  liveTitle: 'LIVE-এর চেকলিস্ট',
  liveSubtitle: 'আসল টাকা নেওয়ার আগে। প্রতিটি ধাপ সিস্টেম নিজেই যাচাই করে।',
  done: 'সম্পন্ন',
  open: 'বাকি',
  unknown: 'আপনার জন্য দৃশ্যমান নয়',
  progress: (done: string, all: string) => `${all}টির মধ্যে ${done}টি ধাপ সম্পন্ন`,
  sandboxDone: 'আপনার প্রথম পরীক্ষামূলক অর্ডার পরিশোধিত হয়েছে।',
  toLive: 'LIVE-এর চেকলিস্টে যান',
  sandbox: {
    receiver: {
      title: 'যে নম্বরে টাকা আসবে তা দিন',
      text: 'গ্রাহক এই ওয়ালেটে টাকা পাঠান। SANDBOX-এ টাকা লেনদেন হয় না, তাই যেকোনো নম্বর চলবে।',
    },
    apiKey: {
      title: 'একটি API কী তৈরি করুন',
      text: 'আপনার দোকান এটি দিয়ে পেমেন্ট তৈরি করে। দোকানের সেটিংসে রাখুন।',
    },
    endpoint: {
      title: 'ওয়েবহুক কোথায় যাবে বাছুন',
      text: 'প্রতিটি পরিশোধিত অর্ডারের খবর দোকান পায়। সার্ভার তৈরি না থাকলে হোস্ট করা এন্ডপয়েন্ট নিন; সব অনুরোধ সেখানে দেখা যায়।',
    },
    paid: {
      title: 'একটি অর্ডার পরিশোধ করান',
      text: 'একটি অর্ডার তৈরি হয়, তার এসএমএস সিমুলেট হয় এবং ওয়েবহুক পৌঁছায়।',
    },
    addReceiver: 'নম্বর যোগ করুন',
    useHosted: 'হোস্ট করা এন্ডপয়েন্ট নিন',
    ownEndpoint: 'দোকানের এন্ডপয়েন্ট যোগ করুন',
    play: 'পরিশোধিত অর্ডার চালান',
    receiverFirst: 'আগে একটি গ্রহণকারী নম্বর যোগ করুন।',
    played: 'অর্ডার পরিশোধিত হয়েছে।',
    showPayment: 'পেমেন্ট দেখুন',
    notPlayed: 'সবকিছু প্রত্যাশামতো হয়নি।',
    showRun: 'কী হয়েছে দেখুন',
    ownShop: 'অথবা নিজের দোকান থেকে অর্ডার তৈরি করুন',
    simulator: 'তারপর এর এসএমএস সিমুলেট করুন',
  },
  live: {
    testCases: {
      title: 'সব টেস্ট কেস উত্তীর্ণ',
      text: 'নিজের এন্ডপয়েন্ট দিয়ে SANDBOX-এ সব টেস্ট কেস চালান। প্রতিটির সর্বশেষ রান গণ্য।',
      link: 'টেস্ট কেস চালান',
    },
    secondFactor: {
      title: 'আপনার অ্যাকাউন্টে দ্বিতীয় ধাপ আছে',
      text: 'শুধু চুরি হওয়া পাসওয়ার্ডে যেন আসল টাকায় পৌঁছানো না যায়।',
      link: 'চালু করুন',
    },
    support: {
      title: 'গ্রাহক আপনার সঙ্গে যোগাযোগ করতে পারেন',
      text: 'পেমেন্ট পাতায় ফোন নম্বর বা ইমেইল দেখানো হয়।',
      link: 'যোগাযোগের তথ্য দিন',
    },
    receiver: {
      title: 'একটি LIVE নম্বরে টাকা আসে',
      text: 'আপনার বিকাশ বা নগদ ওয়ালেটের নম্বর।',
      link: 'গ্রহণকারী নম্বর যোগ করুন',
    },
    phone: {
      title: 'প্রতিটি LIVE নম্বরের ফোন অনলাইনে আছে',
      text: 'ফোন ওয়ালেটের এসএমএস পাঠায়। না থাকলে পরিশোধিত অর্ডারও অপেক্ষায় থাকে।',
      link: 'ফোন সংযুক্ত করুন',
    },
    apiKey: {
      title: 'একটি LIVE কী আছে',
      text: 'দোকানের সেটিংসে SANDBOX কী বদলে এটি দিন।',
      link: 'LIVE কী তৈরি করুন',
    },
    endpoint: {
      title: 'একটি LIVE এন্ডপয়েন্ট যাচাই করা',
      text: 'এন্ডপয়েন্ট যাচাইয়ের উত্তর না দেওয়া পর্যন্ত ওয়েবহুক আটকে থাকে।',
      link: 'এন্ডপয়েন্ট যোগ ও যাচাই করুন',
    },
    keyUsed: {
      title: 'দোকান LIVE কী ব্যবহার করেছে',
      text: 'প্রথম অনুরোধের পর এক মিনিটের মধ্যে দেখা যায়।',
      link: 'শেষ ব্যবহার দেখুন',
    },
    paid: {
      title: 'প্রথম LIVE পেমেন্ট পরিশোধিত',
      text: 'নিজের দোকানে ছোট কিছু অর্ডার করে পরিশোধ করুন।',
      link: 'পেমেন্ট দেখুন',
    },
  },
});
