import type { RecognisedSmsKind, SmsKind } from '@pay/contracts';
import { sectionWords } from '../text/section-words';

type Kinds = Readonly<Record<RecognisedSmsKind | SmsKind, string>>;

const en: Kinds = {
  SEND_MONEY_RECEIVED: 'Send Money received',
  PAYMENT_RECEIVED: 'Payment received',
  CASH_OUT_RECEIVED: 'Cash Out received',
  CASH_IN_RECEIVED: 'Cash In received',
  B2B_RECEIVED: 'Business transfer received',
  INTERBANK_RECEIVED: 'Transfer from a bank or another wallet',
  DISBURSEMENT_RECEIVED: 'Disbursement received',
  COMMISSION_RECEIVED: 'Commission received',
  CASHBACK_RECEIVED: 'Cashback received',
  INTEREST_RECEIVED: 'Interest received',
  ADD_MONEY: 'Add Money',
  LOAN_RECEIVED: 'Loan received',
  REMITTANCE_RECEIVED: 'Remittance received',
  REFUND_RECEIVED: 'Refund received',
  RESERVE_RELEASED: 'Reserved money released',
  MONEY_RETURNED: 'Money returned',
  SEND_MONEY_SENT: 'Send Money sent',
  PAYMENT_SENT: 'Payment sent',
  PAYMENT_RESERVED: 'Payment reserved',
  CASH_OUT_SENT: 'Cash Out made',
  CASH_IN_GIVEN: 'Cash In given',
  B2B_SENT: 'Business transfer sent',
  BANK_TRANSFER_SENT: 'Bank transfer sent',
  SAVINGS_PAID: 'Savings paid in',
  LOAN_REPAID: 'Loan repaid',
  RECHARGE: 'Mobile recharge',
  BILL_PAID: 'Bill paid',
  REVERSAL: 'Reversal',
  REFUND: 'Refund',
  CANCELLED: 'Cancelled',
  FAILED: 'Failed transaction',
  BALANCE: 'Balance',
  OTP: 'One-time password',
  PROMOTION: 'Advertisement',
  NOTICE: 'Notice',
  OTHER: 'Other',
};

const bn: Kinds = {
  SEND_MONEY_RECEIVED: 'সেন্ড মানি এসেছে',
  PAYMENT_RECEIVED: 'পেমেন্ট এসেছে',
  CASH_OUT_RECEIVED: 'ক্যাশ আউট এসেছে',
  CASH_IN_RECEIVED: 'ক্যাশ ইন এসেছে',
  B2B_RECEIVED: 'ব্যবসায়িক লেনদেন এসেছে',
  INTERBANK_RECEIVED: 'ব্যাংক বা অন্য ওয়ালেট থেকে এসেছে',
  DISBURSEMENT_RECEIVED: 'বিতরণের টাকা এসেছে',
  COMMISSION_RECEIVED: 'কমিশন এসেছে',
  CASHBACK_RECEIVED: 'ক্যাশব্যাক এসেছে',
  INTEREST_RECEIVED: 'মুনাফা এসেছে',
  ADD_MONEY: 'অ্যাড মানি',
  LOAN_RECEIVED: 'ঋণ এসেছে',
  REMITTANCE_RECEIVED: 'রেমিট্যান্স এসেছে',
  REFUND_RECEIVED: 'রিফান্ড এসেছে',
  RESERVE_RELEASED: 'সংরক্ষিত টাকা ছাড়া হয়েছে',
  MONEY_RETURNED: 'টাকা ফেরত এসেছে',
  SEND_MONEY_SENT: 'সেন্ড মানি পাঠানো',
  PAYMENT_SENT: 'পেমেন্ট পাঠানো',
  PAYMENT_RESERVED: 'পেমেন্ট সংরক্ষিত',
  CASH_OUT_SENT: 'ক্যাশ আউট করা',
  CASH_IN_GIVEN: 'ক্যাশ ইন দেওয়া',
  B2B_SENT: 'ব্যবসায়িক লেনদেন পাঠানো',
  BANK_TRANSFER_SENT: 'ব্যাংকে পাঠানো',
  SAVINGS_PAID: 'সঞ্চয় জমা',
  LOAN_REPAID: 'ঋণ পরিশোধ',
  RECHARGE: 'মোবাইল রিচার্জ',
  BILL_PAID: 'বিল পরিশোধ',
  REVERSAL: 'লেনদেন ফেরত নেওয়া',
  REFUND: 'রিফান্ড',
  CANCELLED: 'বাতিল',
  FAILED: 'ব্যর্থ লেনদেন',
  BALANCE: 'ব্যালেন্স',
  OTP: 'ওটিপি',
  PROMOTION: 'বিজ্ঞাপন',
  NOTICE: 'নোটিশ',
  OTHER: 'অন্যান্য',
};

const useKindWords = sectionWords(en, bn);

/** The kind of an SMS in words. A kind of a newer service is shown as its code. */
export function useSmsKind(): (kind: string) => string {
  const words: Readonly<Record<string, string>> = useKindWords();
  return (kind) => words[kind] ?? kind;
}
