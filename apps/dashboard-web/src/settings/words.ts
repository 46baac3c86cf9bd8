import type { RelaxableSignal } from '@pay/contracts';
import type { Each } from '../text/pairs';
import { sectionWords } from '../text/section-words';

export const useSettingsWords = sectionWords({
  title: ['Settings', 'সেটিংস'],
  subtitle: ['The same for SANDBOX and LIVE, except alerts', 'সতর্কতা ছাড়া SANDBOX ও LIVE দুটিতেই একই'],
  readOnly: ['Only an owner or admin can change settings.', 'শুধু মালিক বা অ্যাডমিন সেটিংস বদলাতে পারেন।'],
  save: ['Save', 'সংরক্ষণ'],
  saved: ['The settings were saved.', 'সেটিংস সংরক্ষণ হয়েছে।'],
  branding: ['Name and branding', 'নাম ও ব্র্যান্ডিং'],
  brandingText: ['Your customers see them on the payment page.', 'গ্রাহক পেমেন্ট পাতায় এগুলো দেখেন।'],
  name: ['Name of the shop', 'দোকানের নাম'],
  colour: ['Colour', 'রং'],
  colourPick: ['Choose from a palette', 'প্যালেট থেকে বাছুন'],
  colourHint: [
    'Example: #1a2b3c. Empty: the green of this payment gateway.',
    'যেমন: #1a2b3c। খালি: এই পেমেন্ট গেটওয়ের নিজস্ব সবুজ।',
  ],
  colourWrong: ['Enter a colour such as #1a2b3c.', '#1a2b3c-এর মতো একটি রং দিন।'],
  logo: ['Logo', 'লোগো'],
  logoHint: ['PNG, JPEG or WebP, at most 12 KB.', 'PNG, JPEG বা WebP, সর্বোচ্চ ১২ KB।'],
  logoChoose: ['Choose a picture', 'ছবি বেছে নিন'],
  logoTooLarge: ['This image is too large. At most 12 KB.', 'ছবিটি বেশি বড়। সর্বোচ্চ ১২ KB।'],
  logoRemove: ['Remove the logo', 'লোগো সরান'],
  preview: ['Preview of the payment page', 'পেমেন্ট পাতার নমুনা'],
  previewPay: ['Pay', 'পরিশোধ করুন'],
  previewAmount: ['Amount to pay', 'পরিশোধের টাকা'],
  support: ['Contact for your customers', 'গ্রাহকের যোগাযোগ'],
  supportText: [
    'Shown on the payment page. Empty fields are not shown.',
    'পেমেন্ট পাতায় দেখানো হয়। খালি ঘর দেখানো হয় না।',
  ],
  phone: ['Phone', 'ফোন'],
  email: ['E-mail', 'ইমেইল'],
  website: ['Website', 'ওয়েবসাইট'],
  payerDigits: ['Ask for the last three digits of the paying number', 'প্রেরক নম্বরের শেষ তিন সংখ্যা চাওয়া'],
  payerDigitsHint: [
    'A TrxID without them, or with others than the SMS shows, goes to review.',
    'না থাকলে বা এসএমএসের সঙ্গে না মিললে TrxID যাচাই তালিকায় যায়।',
  ],
  rules: ['Review rules', 'যাচাইয়ের নিয়ম'],
  rulesText: [
    'Payments that need a review. The seven checks always apply.',
    'যেসব পেমেন্ট যাচাই করতে হবে। সাতটি পরীক্ষা সব সময় প্রযোজ্য।',
  ],
  reviewForgerySignals: ['Review every SMS with a sign of forgery', 'জালিয়াতির চিহ্ন থাকা প্রতিটি এসএমএস যাচাই'],
  reviewForgerySignalsHint: [
    'Also in SANDBOX, and also signs that honest texts show.',
    'SANDBOX-এও, এবং সৎ লেখায় থাকা চিহ্নেও।',
  ],
  reviewBalanceBreaks: [
    'Review SMS whose balance does not follow from the earlier ones',
    'আগের ব্যালেন্সের সঙ্গে না মেলা এসএমএস যাচাই',
  ],
  requirePayerAgreement: [
    'Review payments from another number than the expected one',
    'প্রত্যাশিত নম্বর থেকে না আসা পেমেন্ট যাচাই',
  ],
  reviewOlderThanHours: ['Review money that is older than so many hours', 'এত ঘণ্টার বেশি পুরোনো টাকা যাচাই'],
  reviewOlderThanHoursHint: ['1 to 72. Empty: however old.', '১ থেকে ৭২। খালি: যত পুরোনোই হোক।'],
  relaxed: ['Signs that are not reviewed in LIVE', 'LIVE-এ যেসব চিহ্ন যাচাই হয় না'],
  relaxedText: [
    'Dangerous: anyone who can forge an SMS with a chosen sign can forge a payment. Only an owner can choose one, with a reason.',
    'বিপজ্জনক: এমন চিহ্নসহ এসএমএস জাল করতে পারলে যে কেউ পেমেন্ট জাল করতে পারে। শুধু মালিক কারণসহ বাছতে পারেন।',
  ],
  reasonHint: ['Stored in the audit log.', 'অডিট লগে থাকে।'],
  relaxTitle: ['Accept texts with these signs without a review?', 'এসব চিহ্নের লেখা যাচাই ছাড়া গ্রহণ করবেন?'],
  signals: {
    trx_id_time: ['TrxID of another date', 'অন্য তারিখের TrxID'],
    balance: ['Balance below the amount', 'টাকার চেয়ে কম ব্যালেন্স'],
    foreign_content: ['Link or phone number in the text', 'লেখায় লিংক বা ফোন নম্বর'],
    invisible_characters: ['Invisible characters', 'অদৃশ্য অক্ষর'],
    lookalike_letters: ['Letters of another script that look alike', 'দেখতে একই অন্য লিপির অক্ষর'],
    sender_id: ['Sender in another spelling', 'প্রেরকের ভিন্ন বানান'],
    line_breaks: ['Missing line breaks', 'লাইন ভাঙা নেই'],
    unsigned_forwarder: ['Text that the forwarder app did not sign', 'ফরোয়ার্ডার অ্যাপের স্বাক্ষর ছাড়া লেখা'],
  } satisfies Each<RelaxableSignal>,
});
