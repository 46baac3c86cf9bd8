import type { RecognisedSmsKind, SmsKind } from '@pay/contracts';
import type { Each } from '../text/pairs';
import { sectionWords } from '../text/section-words';

const useKindWords = sectionWords({
  SEND_MONEY_RECEIVED: ['Send Money received', 'সেন্ড মানি এসেছে'],
  PAYMENT_RECEIVED: ['Payment received', 'পেমেন্ট এসেছে'],
  CASH_OUT_RECEIVED: ['Cash Out received', 'ক্যাশ আউট এসেছে'],
  CASH_IN_RECEIVED: ['Cash In received', 'ক্যাশ ইন এসেছে'],
  B2B_RECEIVED: ['Business transfer received', 'ব্যবসায়িক লেনদেন এসেছে'],
  INTERBANK_RECEIVED: ['Transfer from a bank or another wallet', 'ব্যাংক বা অন্য ওয়ালেট থেকে এসেছে'],
  DISBURSEMENT_RECEIVED: ['Disbursement received', 'বিতরণের টাকা এসেছে'],
  COMMISSION_RECEIVED: ['Commission received', 'কমিশন এসেছে'],
  CASHBACK_RECEIVED: ['Cashback received', 'ক্যাশব্যাক এসেছে'],
  INTEREST_RECEIVED: ['Interest received', 'মুনাফা এসেছে'],
  ADD_MONEY: ['Add Money', 'অ্যাড মানি'],
  LOAN_RECEIVED: ['Loan received', 'ঋণ এসেছে'],
  REMITTANCE_RECEIVED: ['Remittance received', 'রেমিট্যান্স এসেছে'],
  REFUND_RECEIVED: ['Refund received', 'রিফান্ড এসেছে'],
  RESERVE_RELEASED: ['Reserved money released', 'সংরক্ষিত টাকা ছাড়া হয়েছে'],
  MONEY_RETURNED: ['Money returned', 'টাকা ফেরত এসেছে'],
  SEND_MONEY_SENT: ['Send Money sent', 'সেন্ড মানি পাঠানো'],
  PAYMENT_SENT: ['Payment sent', 'পেমেন্ট পাঠানো'],
  PAYMENT_RESERVED: ['Payment reserved', 'পেমেন্ট সংরক্ষিত'],
  CASH_OUT_SENT: ['Cash Out made', 'ক্যাশ আউট করা'],
  CASH_IN_GIVEN: ['Cash In given', 'ক্যাশ ইন দেওয়া'],
  B2B_SENT: ['Business transfer sent', 'ব্যবসায়িক লেনদেন পাঠানো'],
  BANK_TRANSFER_SENT: ['Bank transfer sent', 'ব্যাংকে পাঠানো'],
  SAVINGS_PAID: ['Savings paid in', 'সঞ্চয় জমা'],
  LOAN_REPAID: ['Loan repaid', 'ঋণ পরিশোধ'],
  RECHARGE: ['Mobile recharge', 'মোবাইল রিচার্জ'],
  BILL_PAID: ['Bill paid', 'বিল পরিশোধ'],
  REVERSAL: ['Reversal', 'লেনদেন ফেরত নেওয়া'],
  REFUND: ['Refund', 'রিফান্ড'],
  CANCELLED: ['Cancelled', 'বাতিল'],
  FAILED: ['Failed transaction', 'ব্যর্থ লেনদেন'],
  BALANCE: ['Balance', 'ব্যালেন্স'],
  OTP: ['One-time password', 'ওটিপি'],
  PROMOTION: ['Advertisement', 'বিজ্ঞাপন'],
  NOTICE: ['Notice', 'নোটিশ'],
  OTHER: ['Other', 'অন্যান্য'],
} satisfies Each<RecognisedSmsKind | SmsKind>);

/** The kind of an SMS in words. A kind of a newer service is shown as its code. */
export function useSmsKind(): (kind: string) => string {
  const words: Readonly<Record<string, string>> = useKindWords();
  return (kind) => words[kind] ?? kind;
}
