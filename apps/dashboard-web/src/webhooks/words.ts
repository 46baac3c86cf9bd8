import type { DeliveredEvent, DeliveryStatus } from '@pay/contracts';
import type { Each } from '../text/pairs';
import { sectionWords } from '../text/section-words';

/** The operation of each action. */
export const OPERATION_OF = {
  create: 'createEndpoint',
  change: 'changeEndpoint',
  verify: 'verifyEndpoint',
  test: 'testEndpoint',
  rotate: 'rotateEndpointSecret',
  finish: 'finishEndpointRotation',
  recover: 'recoverEndpoint',
  disable: 'changeEndpoint',
  enable: 'changeEndpoint',
  remove: 'deleteEndpoint',
} as const;
export type EndpointActionName = keyof typeof OPERATION_OF;

/** Names of the API are the same in both languages. */
export const EVENT_NAMES: Each<DeliveredEvent, string> = {
  'payment.paid': 'payment.paid',
  'payment.review_required': 'payment.review_required',
  'payment.expired': 'payment.expired',
  'payment.rejected': 'payment.rejected',
  'alert.opened': 'alert.opened',
  'alert.closed': 'alert.closed',
  'webhook.test': 'webhook.test',
};

export const useWebhookWords = sectionWords({
  title: ['Webhooks', 'ওয়েবহুক'],
  subtitle: ['URLs that receive webhooks about payments', 'যেসব URL পেমেন্টের ওয়েবহুক গ্রহণ করে'],
  tabs: {
    label: ['Pages about webhooks', 'ওয়েবহুকের পাতা'],
    endpoints: ['Endpoints', 'এন্ডপয়েন্ট'],
    deliveries: ['Deliveries', 'ডেলিভারি'],
  },
  empty: ['No endpoints yet.', 'এখনো কোনো এন্ডপয়েন্ট নেই।'],
  emptyText: [
    'Add the address of your shop that receives payment.paid.',
    'আপনার দোকানের যে ঠিকানা payment.paid গ্রহণ করে তা যোগ করুন।',
  ],
  url: ['URL', 'URL'],
  urlHint: ['LIVE: https only. The address must be public.', 'LIVE: শুধু https। ঠিকানাটি পাবলিক হতে হবে।'],
  events: ['Events', 'ইভেন্ট'],
  eventsHint: [
    'None chosen: all about payments. Alerts are sent only to endpoints that choose them.',
    'কিছু না বাছলে পেমেন্টের সব ইভেন্ট। সতর্কতা শুধু যে এন্ডপয়েন্ট বেছে নেয় সেখানে যায়।',
  ],
  verified: ['Verified', 'যাচাই করা'],
  unverified: ['Not verified', 'যাচাই করা হয়নি'],
  unverifiedLive: [
    'LIVE webhooks are held until this endpoint is verified.',
    'এই এন্ডপয়েন্ট যাচাই না হওয়া পর্যন্ত LIVE ওয়েবহুক আটকে থাকে।',
  ],
  active: ['Active', 'চালু'],
  disabled: ['Disabled', 'বন্ধ'],
  disabledReasons: {
    GONE: ['Disabled because the endpoint answered 410 twice.', 'এন্ডপয়েন্ট দুইবার 410 উত্তর দেওয়ায় বন্ধ করা হয়েছে।'],
    NO_SUCCESS: ['Disabled because nothing was delivered for five days.', 'পাঁচ দিন কিছু পৌঁছায়নি বলে বন্ধ করা হয়েছে।'],
  },
  failingSince: ['Failing since', 'ব্যর্থ হচ্ছে'],
  overlap: ['Both secrets sign until', 'দুই সিক্রেটেই স্বাক্ষর হবে'],
  created: ['Added', 'যোগ করা হয়েছে'],
  back: ['All endpoints', 'সব এন্ডপয়েন্ট'],
  ofEndpoint: ['Deliveries of this endpoint', 'এই এন্ডপয়েন্টের ডেলিভারি'],
  allDeliveries: ['Show all of them', 'সবগুলো দেখুন'],
  secret: ['Signing secret', 'স্বাক্ষরের সিক্রেট'],
  secretStandard: ['Signing secret for Standard Webhooks libraries', 'Standard Webhooks লাইব্রেরির জন্য সিক্রেট'],
  shownOnce: ['Copy the secret now. It is shown only here.', 'সিক্রেটটি এখনই কপি করুন। এটি শুধু এখানেই দেখানো হয়।'],
  stored: ['I have stored the secret', 'সিক্রেট সংরক্ষণ করেছি'],
  overlapLabel: ['How long both secrets sign', 'দুই সিক্রেট কতক্ষণ স্বাক্ষর করবে'],
  overlaps: {
    0: ['Not at all', 'একদম না'],
    3600: ['1 hour', '১ ঘণ্টা'],
    86400: ['24 hours', '২৪ ঘণ্টা'],
    604800: ['7 days', '৭ দিন'],
  },
  since: ['Recover events since (Dhaka time)', 'কখন থেকে পুনরুদ্ধার (ঢাকার সময়)'],
  sinceMissing: ['Enter a time.', 'একটি সময় দিন।'],
  recovery: ['Latest recovery', 'সর্বশেষ পুনরুদ্ধার'],
  recoveryState: {
    RUNNING: ['running', 'চলছে'],
    DONE: ['finished', 'শেষ'],
  },
  recoveryCounts: [
    (redelivered: string, created: string) => `${redelivered} sent again, ${created} created`,
    (redelivered: string, created: string) => `${redelivered}টি আবার পাঠানো, ${created}টি নতুন`,
  ],
  verifiedNow: ['The endpoint is verified.', 'এন্ডপয়েন্ট যাচাই হয়েছে।'],
  tested: ['The test event was queued.', 'পরীক্ষার ইভেন্ট সারিতে আছে।'],
  showDelivery: ['Show the delivery', 'ডেলিভারি দেখুন'],
  actions: {
    create: ['Add an endpoint', 'এন্ডপয়েন্ট যোগ করুন'],
    change: ['Change', 'পরিবর্তন'],
    verify: ['Verify', 'যাচাই করুন'],
    test: ['Send a test event', 'পরীক্ষার ইভেন্ট পাঠান'],
    rotate: ['Rotate the secret', 'সিক্রেট বদলান'],
    finish: ['End the rotation', 'বদল শেষ করুন'],
    recover: ['Recover', 'পুনরুদ্ধার'],
    disable: ['Disable', 'বন্ধ করুন'],
    enable: ['Enable', 'চালু করুন'],
    remove: ['Delete', 'মুছুন'],
  } satisfies Each<EndpointActionName>,
  consequences: {
    create: ['A signing secret is generated and shown once.', 'একটি সিক্রেট তৈরি হয়ে একবার দেখানো হবে।'],
    change: ['A changed URL must be verified again.', 'URL বদলালে আবার যাচাই করতে হবে।'],
    verify: [
      'A signed request with a challenge is sent. Your shop must answer it with the same challenge within 10 seconds.',
      'চ্যালেঞ্জসহ একটি স্বাক্ষরিত অনুরোধ পাঠানো হবে। আপনার দোকানকে ১০ সেকেন্ডের মধ্যে একই চ্যালেঞ্জ ফেরত দিতে হবে।',
    ],
    test: [
      'A signed webhook.test event is sent and retried like any other. It is about no payment.',
      'একটি স্বাক্ষরিত webhook.test ইভেন্ট পাঠানো হবে এবং অন্যগুলোর মতোই আবার চেষ্টা করা হবে। এটি কোনো পেমেন্টের নয়।',
    ],
    rotate: [
      'A new secret is generated and shown once. Both secrets sign for the chosen time, so that your shop can change over.',
      'নতুন সিক্রেট তৈরি হয়ে একবার দেখানো হবে। নির্ধারিত সময় পর্যন্ত দুই সিক্রেটেই স্বাক্ষর হবে, যাতে দোকান বদলাতে পারে।',
    ],
    finish: [
      'Only the new secret signs from now on. A shop that still has the old one refuses webhooks.',
      'এখন থেকে শুধু নতুন সিক্রেট স্বাক্ষর করবে। পুরোনো সিক্রেট থাকা দোকান ওয়েবহুক ফিরিয়ে দেবে।',
    ],
    recover: [
      'Failed and held deliveries since then are sent again, in the background. Your shop may receive events a second time.',
      'তখন থেকে ব্যর্থ ও আটকে থাকা ডেলিভারি আবার পাঠানো হবে। দোকান একই ইভেন্ট আবার পেতে পারে।',
    ],
    disable: [
      'No webhooks are sent to this endpoint. They are held for 30 days and can be recovered.',
      'এই এন্ডপয়েন্টে ওয়েবহুক যাবে না। ৩০ দিন আটকে রাখা হয় এবং পুনরুদ্ধার করা যায়।',
    ],
    enable: [
      'Webhooks are sent again. Use "Recover" for what was held.',
      'ওয়েবহুক আবার পাঠানো হবে। আটকে থাকাগুলোর জন্য "পুনরুদ্ধার" ব্যবহার করুন।',
    ],
    remove: [
      'No webhooks are sent to this endpoint any more, and open deliveries fail. This cannot be undone.',
      'এই এন্ডপয়েন্টে আর ওয়েবহুক যাবে না, খোলা ডেলিভারি ব্যর্থ হবে। এটি ফেরানো যায় না।',
    ],
  } satisfies Each<EndpointActionName>,
  deliveries: {
    title: ['Deliveries', 'ডেলিভারি'],
    subtitle: ['What was sent to your endpoints', 'আপনার এন্ডপয়েন্টে যা পাঠানো হয়েছে'],
    empty: ['Nothing was sent yet.', 'এখনো কিছু পাঠানো হয়নি।'],
    emptyText: [
      'Deliveries appear when payments change, or when you send a test event.',
      'পেমেন্ট বদলালে বা পরীক্ষার ইভেন্ট পাঠালে ডেলিভারি এখানে আসে।',
    ],
    emptyFiltered: ['No delivery matches these filters.', 'এই ফিল্টারে কোনো ডেলিভারি নেই।'],
    status: ['Status', 'অবস্থা'],
    event: ['Event', 'ইভেন্ট'],
    endpoint: ['Endpoint', 'এন্ডপয়েন্ট'],
    showEndpoint: ['Show the endpoint', 'এন্ডপয়েন্ট দেখুন'],
    attempts: ['Attempts', 'চেষ্টা'],
    attempt: [(number: string) => `Attempt ${number}`, (number: string) => `চেষ্টা ${number}`],
    answer: ['Answer', 'উত্তর'],
    none: ['no answer yet', 'এখনো উত্তর নেই'],
    payment: ['Payment', 'পেমেন্ট'],
    delivered: ['Delivered', 'পৌঁছেছে'],
    next: ['Next attempt', 'পরের চেষ্টা'],
    back: ['All deliveries', 'সব ডেলিভারি'],
    body: ['Body', 'বডি'],
    bodyHint: ['The same in every attempt.', 'প্রতিটি চেষ্টায় একই।'],
    request: ['Request headers', 'অনুরোধের হেডার'],
    response: ['Response headers', 'উত্তরের হেডার'],
    responseBody: ['Response body', 'উত্তরের বডি'],
    noAttempts: ['No attempt was made yet.', 'এখনো কোনো চেষ্টা হয়নি।'],
    duration: [(milliseconds: string) => `${milliseconds} ms`, (milliseconds: string) => `${milliseconds} মিলিসেকেন্ড`],
    triggers: {
      schedule: ['by schedule', 'নিয়ম অনুযায়ী'],
      probe: ['probe', 'পরখ'],
      resend: ['sent again by a person', 'কেউ আবার পাঠিয়েছেন'],
      recover: ['recovery', 'পুনরুদ্ধার'],
    },
    redeliver: ['Send again', 'আবার পাঠান'],
    redeliverText: [
      'The delivery is sent again with the same id and body, and its retry schedule starts again. Your server must ignore an event that it has already handled.',
      'একই আইডি ও বডি দিয়ে আরেকবার পাঠানো হবে এবং আবার চেষ্টার নিয়ম নতুন করে শুরু হবে। আগে পাওয়া ইভেন্ট আপনার সার্ভারকে উপেক্ষা করতে হবে।',
    ],
    queued: ['The delivery was queued.', 'ডেলিভারি সারিতে আছে।'],
    statuses: {
      PENDING: ['Waiting', 'অপেক্ষমাণ'],
      DELIVERED: ['Delivered', 'পৌঁছেছে'],
      RETRYING: ['Being retried', 'আবার চেষ্টা চলছে'],
      FAILED: ['Failed', 'ব্যর্থ'],
    } satisfies Each<DeliveryStatus>,
  },
});
