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

const en = {
  numbers: 'Numbers',
  numbersText: 'Choose the SIM of each receiving number whose SMS arrive on this phone.',
  noNumbers: 'There are no receiving numbers yet. Add one under Receivers first.',
  notHere: 'Not on this phone',
  anySlot: 'On this phone',
  slot: (number: string) => `SIM ${number}`,
  save: 'Save',
  unknown:
    'It sends no heartbeats: whether it is online is unknown, and its silence raises no alert. Watch its last contact.',
  apps: 'Forwarder apps',
  appsText: 'Apps of other makers that may forward the SMS of this phone. Each has an address of its own.',
  noApps: 'No app yet.',
  app: 'App',
  connect: 'Add the app',
  created: (app: string) => `Settings for ${app}`,
  enter: 'Enter these values in the app now. Address and secret are shown only here.',
  stored: 'I have entered the values',
  signs: 'signs its texts',
  unsigned: 'does not sign its texts: anyone who knows the address can forge a payment',
  remove: 'Remove',
  removeText: (app: string) => `${app} can no longer forward SMS of this phone. Its address stops working in a second.`,
};

export const useDeviceWords = sectionWords(en, {
  numbers: 'নম্বর',
  numbersText: 'যেসব গ্রহণকারী নম্বরের এসএমএস এই ফোনে আসে, সেগুলোর সিম বেছে নিন।',
  noNumbers: 'এখনো কোনো গ্রহণকারী নম্বর নেই। আগে একটি যোগ করুন।',
  notHere: 'এই ফোনে নেই',
  anySlot: 'এই ফোনে আছে',
  slot: (number) => `সিম ${number}`,
  save: 'সংরক্ষণ',
  unknown: 'ফোনটি হার্টবিট পাঠায় না: অনলাইন কি না জানা যায় না, নীরব হলে সতর্কতাও আসে না। শেষ যোগাযোগের সময় দেখুন।',
  apps: 'ফরোয়ার্ডার অ্যাপ',
  appsText: 'অন্য নির্মাতার যেসব অ্যাপ এই ফোনের এসএমএস পাঠাতে পারে। প্রতিটির আলাদা ঠিকানা আছে।',
  noApps: 'এখনো কোনো অ্যাপ নেই।',
  app: 'অ্যাপ',
  connect: 'অ্যাপ যোগ করুন',
  created: (app) => `${app}-এর সেটিংস`,
  enter: 'এখনই অ্যাপে এগুলো লিখুন। ঠিকানা ও সিক্রেট শুধু এখানে দেখানো হয়।',
  stored: 'অ্যাপে লিখেছি',
  signs: 'এসএমএসে স্বাক্ষর করে',
  unsigned: 'এসএমএসে স্বাক্ষর করে না: ঠিকানা জানলে যে কেউ ভুয়া পেমেন্ট পাঠাতে পারে',
  remove: 'সরান',
  removeText: (app) => `${app} আর এই ফোনের এসএমএস পাঠাতে পারবে না। এক সেকেন্ডের মধ্যে ঠিকানাটি বন্ধ হবে।`,
});
