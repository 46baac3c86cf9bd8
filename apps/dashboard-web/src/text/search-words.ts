import { inBoth } from './pairs';

export const search = inBoth({
  title: ['Search', 'খোঁজ'],
  label: ['Find a payment', 'পেমেন্ট খুঁজুন'],
  hint: ['Reference, TrxID, number, amount or id', 'রেফারেন্স, TrxID, নম্বর, টাকা বা আইডি'],
  submit: ['Search', 'খুঁজুন'],
  empty: ['Enter what you know of a payment.', 'পেমেন্ট সম্পর্কে যা জানেন লিখুন।'],
  emptyText: [
    'Reference, merchant reference, TrxID, paying number, amount, or the id of an intent, an SMS or an exception.',
    'রেফারেন্স, মার্চেন্ট রেফারেন্স, TrxID, প্রদানকারী নম্বর, টাকার পরিমাণ, অথবা ইনটেন্ট, এসএমএস বা যাচাইয়ের আইডি।',
  ],
  none: ['Nothing was found.', 'কিছু পাওয়া যায়নি।'],
  noneText: [
    'Texts are compared exactly. Paid payments are found by their amount among the newest 10,000 only.',
    'লেখা হুবহু মিলতে হয়। টাকার পরিমাণ দিয়ে শুধু সর্বশেষ ১০,০০০ পরিশোধিত পেমেন্টের মধ্যে খোঁজা হয়।',
  ],
  otherEnvironment: [(name: string) => `Search in ${name}`, (name: string) => `${name}-এ খুঁজুন`],
  found: [(count: string) => `${count} found`, (count: string) => `${count}টি পাওয়া গেছে`],
  foundBy: {
    id: ['id', 'আইডি'],
    reference: ['reference', 'রেফারেন্স'],
    merchantReference: ['merchant reference', 'মার্চেন্ট রেফারেন্স'],
    trxId: ['TrxID', 'TrxID'],
    payer: ['paying number', 'প্রদানকারী নম্বর'],
    smsId: ['SMS id', 'এসএমএস আইডি'],
    amount: ['amount', 'টাকার পরিমাণ'],
  },
  by: [(field: string) => `found by ${field}`, (field: string) => `${field} দিয়ে পাওয়া`],
  exceptions: ['Money without an intent', 'ইনটেন্ট ছাড়া টাকা'],
  openException: ['Exception', 'যাচাই'],
});
