import type { Forwarder } from '@pay/contracts';
import { sectionWords } from '../text/section-words';

export const FORWARDER_NAMES: Readonly<Record<Forwarder, string>> = {
  'sms-gateway-android': 'SMS Gateway for Android',
  'incoming-sms-to-url': 'Incoming SMS to URL',
  smsforwarder: 'SmsForwarder',
  piprapay: 'PipraPay',
  textbee: 'textbee',
  httpsms: 'httpSMS',
};

export const useDeviceWords = sectionWords({
  numbers: ['Numbers', 'নম্বর'],
  numbersText: [
    'Choose the SIM of each receiving number whose SMS arrive on this phone.',
    'যেসব গ্রহণকারী নম্বরের এসএমএস এই ফোনে আসে, সেগুলোর সিম বেছে নিন।',
  ],
  noNumbers: [
    'There are no receiving numbers yet. Add one under Receivers first.',
    'এখনো কোনো গ্রহণকারী নম্বর নেই। আগে একটি যোগ করুন।',
  ],
  notHere: ['Not on this phone', 'এই ফোনে নেই'],
  anySlot: ['On this phone', 'এই ফোনে আছে'],
  slot: [(number: string) => `SIM ${number}`, (number: string) => `সিম ${number}`],
  save: ['Save', 'সংরক্ষণ'],
  unknown: [
    'It sends no heartbeats: whether it is online is unknown, and its silence raises no alert. Watch its last contact.',
    'ফোনটি হার্টবিট পাঠায় না: অনলাইন কি না জানা যায় না, নীরব হলে সতর্কতাও আসে না। শেষ যোগাযোগের সময় দেখুন।',
  ],
  apps: ['Forwarder apps', 'ফরোয়ার্ডার অ্যাপ'],
  appsText: [
    'Apps of other vendors that may forward the SMS of this phone. Each has its own address.',
    'অন্য নির্মাতার যেসব অ্যাপ এই ফোনের এসএমএস পাঠাতে পারে। প্রতিটির আলাদা ঠিকানা আছে।',
  ],
  noApps: ['No app yet.', 'এখনো কোনো অ্যাপ নেই।'],
  app: ['App', 'অ্যাপ'],
  connect: ['Add the app', 'অ্যাপ যোগ করুন'],
  created: [(app: string) => `Settings for ${app}`, (app: string) => `${app}-এর সেটিংস`],
  enter: [
    'Enter these values in the app now. Address and secret are shown only here.',
    'এখনই অ্যাপে এগুলো লিখুন। ঠিকানা ও সিক্রেট শুধু এখানে দেখানো হয়।',
  ],
  stored: ['I have entered the values', 'অ্যাপে লিখেছি'],
  signs: ['signs its texts', 'এসএমএসে স্বাক্ষর করে'],
  unsigned: [
    'does not sign its texts: anyone who knows the address can forge a payment',
    'এসএমএসে স্বাক্ষর করে না: ঠিকানা জানলে যে কেউ ভুয়া পেমেন্ট পাঠাতে পারে',
  ],
  remove: ['Remove', 'সরান'],
  removeText: [
    (app: string) => `${app} can no longer forward SMS of this phone. Its address stops working in a second.`,
    (app: string) => `${app} আর এই ফোনের এসএমএস পাঠাতে পারবে না। এক সেকেন্ডের মধ্যে ঠিকানাটি বন্ধ হবে।`,
  ],
  unsignedTexts: ['Unsigned SMS in LIVE', 'LIVE-এ স্বাক্ষরহীন এসএমএস'],
  unsignedRefused: [
    'Refused: an app that does not sign its texts gets an error.',
    'নেওয়া হয় না: যে অ্যাপ এসএমএসে স্বাক্ষর করে না, সেটি ত্রুটি পায়।',
  ],
  unsignedAllowed: [
    'Allowed: anyone who knows the address of an app that does not sign its texts can forge an SMS.',
    'নেওয়া হয়: স্বাক্ষরহীন অ্যাপের ঠিকানা জানলে যে কেউ ভুয়া এসএমএস পাঠাতে পারে।',
  ],
  allowUnsigned: ['Allow unsigned SMS', 'স্বাক্ষরহীন এসএমএস নিন'],
  refuseUnsigned: ['Refuse unsigned SMS', 'স্বাক্ষরহীন এসএমএস বন্ধ করুন'],
  allowUnsignedText: [
    'Anyone who knows the address of an app that does not sign its texts can then send a forged SMS for this phone. These SMS go to review, unless an owner has relaxed this rule in the settings. Prefer an app that signs its texts, such as SMS Gateway for Android.',
    'এরপর স্বাক্ষরহীন অ্যাপের ঠিকানা জানলে যে কেউ এই ফোনের নামে ভুয়া এসএমএস পাঠাতে পারবে। মালিক সেটিংসে নিয়মটি শিথিল না করলে এসব এসএমএস যাচাইয়ে যায়। সম্ভব হলে স্বাক্ষর করে এমন অ্যাপ ব্যবহার করুন, যেমন SMS Gateway for Android।',
  ],
  acknowledgeForged: ['I understand that payments can be forged this way.', 'আমি বুঝেছি, এভাবে ভুয়া পেমেন্ট পাঠানো সম্ভব।'],
  acknowledgeMissing: ['Confirm that you understand the risk.', 'ঝুঁকি বুঝেছেন বলে নিশ্চিত করুন।'],
});
