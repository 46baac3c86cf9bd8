import type { Dictionary } from './en';

export const search: Dictionary['search'] = {
  title: 'খোঁজ',
  label: 'পেমেন্ট খুঁজুন',
  hint: 'রেফারেন্স, TrxID, নম্বর, টাকা বা আইডি',
  submit: 'খুঁজুন',
  empty: 'পেমেন্ট সম্পর্কে যা জানেন লিখুন।',
  emptyText: 'রেফারেন্স, মার্চেন্ট রেফারেন্স, TrxID, প্রদানকারী নম্বর, টাকার পরিমাণ, অথবা ইনটেন্ট, এসএমএস বা যাচাইয়ের আইডি।',
  none: 'কিছু পাওয়া যায়নি।',
  noneText: 'লেখা হুবহু মিলতে হয়। টাকার পরিমাণ দিয়ে শুধু সর্বশেষ ১০,০০০ পরিশোধিত পেমেন্টের মধ্যে খোঁজা হয়।',
  otherEnvironment: (name) => `${name}-এ খুঁজুন`,
  found: (count) => `${count}টি পাওয়া গেছে`,
  foundBy: {
    id: 'আইডি',
    reference: 'রেফারেন্স',
    merchantReference: 'মার্চেন্ট রেফারেন্স',
    trxId: 'TrxID',
    payer: 'প্রদানকারী নম্বর',
    smsId: 'এসএমএস আইডি',
    amount: 'টাকার পরিমাণ',
  },
  by: (field) => `${field} দিয়ে পাওয়া`,
  exceptions: 'ইনটেন্ট ছাড়া টাকা',
  openException: 'যাচাই',
};
