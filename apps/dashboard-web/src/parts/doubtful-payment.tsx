import { Alert } from '@mantine/core';
import { sectionWords } from '../text/section-words';

const useDoubtWords = sectionWords({
  title: ['Payment is doubtful', 'পেমেন্ট সন্দেহজনক'],
  text: [
    'This payment was confirmed by an SMS that may be forged: the balances of later SMS contradict it. Before you deliver, look for the payment in the history of your bKash or Nagad app.',
    'এই পেমেন্ট এমন এসএমএসে নিশ্চিত হয়েছে যা জাল হতে পারে: পরের এসএমএসের ব্যালেন্স তার সঙ্গে মেলে না। পণ্য দেওয়ার আগে আপনার বিকাশ বা নগদ অ্যাপের লেনদেনের তালিকায় পেমেন্টটি আছে কি না দেখুন।',
  ],
});

/** For a payment that the alert `payment_doubtful` reports, also after the alert is closed. */
export function DoubtfulPayment() {
  const { title, text } = useDoubtWords();
  return (
    <Alert color="orange" mb="md" role="status" title={title} data-testid="doubtful">
      {text}
    </Alert>
  );
}
