import type { InvitationStatus } from '@pay/contracts';
import type { Each } from '../text/pairs';
import { sectionWords } from '../text/section-words';

/** The operation of each action. */
export const OPERATION_OF = {
  change: 'changeUser',
  deactivate: 'deactivateUser',
  reactivate: 'reactivateUser',
} as const;
export type PersonAction = keyof typeof OPERATION_OF;

export const usePeopleWords = sectionWords({
  title: ['People', 'সদস্য'],
  subtitle: ['Who works with this merchant', 'যাঁরা এই মার্চেন্টের সঙ্গে কাজ করেন'],
  tabs: {
    label: ['Pages about people', 'সদস্যদের পাতা'],
    people: ['People', 'সদস্য'],
    account: ['My account', 'আমার অ্যাকাউন্ট'],
    log: ['Audit log', 'অডিট লগ'],
  },
  name: ['Name', 'নাম'],
  email: ['E-mail', 'ইমেইল'],
  role: ['Role', 'ভূমিকা'],
  you: ['you', 'আপনি'],
  inactive: ['Inactive', 'নিষ্ক্রিয়'],
  state: ['State', 'অবস্থা'],
  actionsTitle: ['Actions', 'করণীয়'],
  invite: ['Invite a person', 'আমন্ত্রণ জানান'],
  inviteText: [
    'A mail with a link is sent. It can be used once within 7 days.',
    'লিংকসহ একটি মেইল পাঠানো হবে। ৭ দিনের মধ্যে একবার ব্যবহার করা যায়।',
  ],
  invitations: ['Invitations', 'আমন্ত্রণ'],
  noInvitations: ['No invitations.', 'কোনো আমন্ত্রণ নেই।'],
  expires: ['Valid until', 'মেয়াদ'],
  revoke: ['Revoke', 'বাতিল করুন'],
  revokeText: ['The link in the mail stops working.', 'মেইলের লিংক আর কাজ করবে না।'],
  rolesTitle: ['What each role may do', 'কোন ভূমিকা কী করতে পারে'],
  roleTexts: {
    OWNER: [
      'Everything, including adding owners and relaxing review rules.',
      'সবকিছু, মালিক বানানো ও যাচাইয়ের নিয়ম শিথিল করাও।',
    ],
    ADMIN: [
      'Everything except adding owners and relaxing review rules.',
      'মালিক বানানো ও যাচাইয়ের নিয়ম শিথিল করা ছাড়া সবকিছু।',
    ],
    REVIEWER: [
      'Sees everything but keys, and decides about exceptions.',
      'কী ছাড়া সব দেখেন এবং যাচাই তালিকায় সিদ্ধান্ত নেন।',
    ],
    DEVELOPER: [
      'Manages keys and webhooks of SANDBOX, and uses the test tools.',
      'SANDBOX-এর কী ও ওয়েবহুক সামলান এবং পরীক্ষার সরঞ্জাম ব্যবহার করেন।',
    ],
    VIEWER: ['Can only view.', 'শুধু দেখতে পারেন।'],
  },
  actions: {
    change: ['Change the role', 'ভূমিকা বদলান'],
    deactivate: ['Deactivate', 'নিষ্ক্রিয় করুন'],
    reactivate: ['Reactivate', 'আবার সক্রিয় করুন'],
  } satisfies Each<PersonAction>,
  consequences: {
    change: [
      'The new role counts within a second, in all sessions of this person.',
      'নতুন ভূমিকা এক সেকেন্ডের মধ্যে এই সদস্যের সব সেশনে কার্যকর হবে।',
    ],
    deactivate: [
      'Ends all sessions of this person at this merchant. What they did stays in the audit log.',
      'এই মার্চেন্টে এই সদস্যের সব সেশন শেষ হবে। তাঁর কাজ অডিট লগে থাকবে।',
    ],
    reactivate: ['This person can log in again with the same role.', 'এই সদস্য একই ভূমিকায় আবার লগ ইন করতে পারবেন।'],
  } satisfies Each<PersonAction>,
  states: {
    PENDING: ['Open', 'খোলা'],
    ACCEPTED: ['Accepted', 'গৃহীত'],
    REVOKED: ['Revoked', 'বাতিল'],
    EXPIRED: ['Expired', 'মেয়াদ শেষ'],
  } satisfies Each<InvitationStatus>,
  account: {
    title: ['My account', 'আমার অ্যাকাউন্ট'],
    subtitle: ['Your password, second factor and sessions', 'আপনার পাসওয়ার্ড, দ্বিতীয় ধাপ ও সেশন'],
    factor: ['Second factor', 'দ্বিতীয় ধাপ'],
    factorOn: ['On', 'চালু'],
    factorOff: ['Off', 'বন্ধ'],
    codesLeft: [(count: string) => `${count} recovery codes left`, (count: string) => `${count}টি রিকভারি কোড বাকি`],
    factorText: [
      'With a second factor a stolen password is not enough to log in.',
      'দ্বিতীয় ধাপ থাকলে চুরি হওয়া পাসওয়ার্ড দিয়ে লগ ইন করা যায় না।',
    ],
    enable: ['Turn on', 'চালু করুন'],
    enableText: [
      'Enter your password. A QR code for an authenticator app is shown next.',
      'আপনার পাসওয়ার্ড দিন। এরপর অথেনটিকেটর অ্যাপের জন্য QR কোড দেখানো হবে।',
    ],
    scan: [
      'Scan this code with an authenticator app, and enter the six digits that it shows.',
      'অথেনটিকেটর অ্যাপ দিয়ে কোডটি স্ক্যান করে ছয়টি সংখ্যা লিখুন।',
    ],
    qr: ['QR code for the authenticator app', 'অথেনটিকেটর অ্যাপের QR কোড'],
    secret: ['Secret, if you cannot scan', 'স্ক্যান করতে না পারলে সিক্রেট'],
    code: ['Code', 'কোড'],
    codeHint: ['From the authenticator app, or a recovery code.', 'অথেনটিকেটর অ্যাপ থেকে, অথবা একটি রিকভারি কোড।'],
    confirm: ['Turn on and end all other sessions', 'চালু করুন ও অন্য সব সেশন শেষ করুন'],
    disable: ['Turn off', 'বন্ধ করুন'],
    disableText: [
      'Your account is protected by the password alone from then on.',
      'এরপর আপনার অ্যাকাউন্ট শুধু পাসওয়ার্ড দিয়ে সুরক্ষিত থাকবে।',
    ],
    recovery: ['Recovery codes', 'রিকভারি কোড'],
    recoveryText: [
      'Store these codes now. They are shown only here; each replaces the authenticator app once.',
      'কোডগুলো এখনই সংরক্ষণ করুন। শুধু এখানেই দেখানো হয়; প্রতিটি একবার অ্যাপের বদলে কাজ করে।',
    ],
    stored: ['I have stored the codes', 'কোড সংরক্ষণ করেছি'],
    password: ['Password', 'পাসওয়ার্ড'],
    currentPassword: ['Current password', 'বর্তমান পাসওয়ার্ড'],
    newPassword: ['New password', 'নতুন পাসওয়ার্ড'],
    newPasswordHint: ['At least 12 characters.', 'কমপক্ষে ১২ অক্ষর।'],
    changePassword: ['Change the password', 'পাসওয়ার্ড বদলান'],
    changePasswordText: ['All your other sessions end.', 'আপনার অন্য সব সেশন শেষ হবে।'],
    ended: [
      (count: string) => `Done. Other sessions ended: ${count}.`,
      (count: string) => `হয়ে গেছে। অন্য সেশন শেষ হয়েছে: ${count}।`,
    ],
    sessions: ['Where you are logged in', 'যেখানে যেখানে লগ ইন করা আছে'],
    sessionsText: [
      'End a session that you do not recognise, and change your password.',
      'যে সেশন চেনেন না তা শেষ করুন এবং পাসওয়ার্ড বদলান।',
    ],
    browser: ['Browser', 'ব্রাউজার'],
    unknownBrowser: ['Unknown browser', 'অজানা ব্রাউজার'],
    thisSession: ['This session', 'এই সেশন'],
    address: ['Address', 'ঠিকানা'],
    began: ['Logged in', 'লগ ইন'],
    lastUsed: ['Last used', 'শেষ ব্যবহার'],
    endOne: ['End', 'শেষ করুন'],
    endOneText: ['The user of this session must log in again.', 'এই সেশন যিনি ব্যবহার করছেন তাঁকে আবার লগ ইন করতে হবে।'],
    endOthers: ['End all other sessions', 'অন্য সব সেশন শেষ করুন'],
    endOthersText: ['Everywhere but here you must log in again.', 'এখানে ছাড়া সব জায়গায় আবার লগ ইন করতে হবে।'],
    forget: ['Forget known browsers', 'পরিচিত ব্রাউজার ভুলে যান'],
    forgetText: [
      'Browsers in which you have logged in are treated as unknown at the next log-in. Sessions stay.',
      'যেসব ব্রাউজারে লগ ইন করেছেন সেগুলো পরের লগ ইনে অপরিচিত ধরা হবে। সেশন থাকবে।',
    ],
    notices: ['Notices', 'বিজ্ঞপ্তি'],
  },
  log: {
    title: ['Audit log', 'অডিট লগ'],
    subtitle: ['Every change, with who made it', 'প্রতিটি পরিবর্তন এবং কে করেছেন'],
    empty: ['No entry matches.', 'কোনো ভুক্তি মেলেনি।'],
    actor: ['Person', 'ব্যক্তি'],
    action: ['Action', 'কাজ'],
    actionHint: ['Example: api_key.revoked', 'যেমন: api_key.revoked'],
    from: ['From (Dhaka time)', 'শুরু (ঢাকার সময়)'],
    to: ['Until (Dhaka time)', 'শেষ (ঢাকার সময়)'],
    search: ['Search', 'খুঁজুন'],
    subject: ['Object', 'বস্তু'],
    before: ['Before', 'আগে'],
    after: ['After', 'পরে'],
    reason: ['Reason', 'কারণ'],
    changed: ['What has changed', 'যা বদলেছে'],
    system: ['System', 'সিস্টেম'],
    nothing: ['nothing', 'কিছু না'],
  },
  invitation: {
    title: ['Invitation', 'আমন্ত্রণ'],
    text: [
      'You were invited to a merchant. Choose a password for your new account.',
      'আপনাকে একটি মার্চেন্টে আমন্ত্রণ জানানো হয়েছে। নতুন অ্যাকাউন্টের পাসওয়ার্ড বাছুন।',
    ],
    name: ['Your name', 'আপনার নাম'],
    nameHint: ['Empty: the name in the invitation.', 'খালি: আমন্ত্রণের নামটি।'],
    accept: ['Create the account', 'অ্যাকাউন্ট তৈরি করুন'],
    accepted: ['Your account was created. Log in now.', 'আপনার অ্যাকাউন্ট তৈরি হয়েছে। এখন লগ ইন করুন।'],
    existing: ['I already have an account', 'আমার অ্যাকাউন্ট আছে'],
    accountText: [
      'Enter the password of your account with the invited e-mail address. You log in and join the merchant.',
      'আমন্ত্রণ পাওয়া ইমেইলে আপনার যে অ্যাকাউন্ট আছে তার পাসওয়ার্ড দিন। আপনি লগ ইন করে মার্চেন্টে যোগ দেবেন।',
    ],
    noAccount: ['I have no account yet', 'আমার এখনো অ্যাকাউন্ট নেই'],
    wrong: [
      'The password or the code is wrong, or the invited e-mail address has no account.',
      'পাসওয়ার্ড বা কোড ভুল, অথবা আমন্ত্রণ পাওয়া ইমেইলে কোনো অ্যাকাউন্ট নেই।',
    ],
    join: ['Join this merchant', 'এই মার্চেন্টে যোগ দিন'],
    joinText: [
      (email: string) => `You are logged in as ${email}. Join the merchant with this account?`,
      (email: string) => `আপনি ${email} হিসেবে লগ ইন করা। এই অ্যাকাউন্টে যোগ দেবেন?`,
    ],
    joined: [
      (merchant: string) => `You are now a member of ${merchant}. Switch to it in the header.`,
      (merchant: string) => `আপনি এখন ${merchant}-এর সদস্য। উপরে থেকে সেটিতে যান।`,
    ],
    missing: [
      'The link of the invitation is not complete. Open it from the mail again.',
      'আমন্ত্রণের লিংক সম্পূর্ণ নয়। মেইল থেকে আবার খুলুন।',
    ],
    toDashboard: ['To the dashboard', 'ড্যাশবোর্ডে যান'],
  },
});
