import type { Guide } from './guide';
import type { Notice, OutcomeName } from './page-state';

type OfAction = Record<Guide['action'], string>;

export const en = {
  pageTitle: (merchant: string) => `Pay ${merchant}`,
  unnamedMerchant: 'the shop',
  /** Header of a page without a payment. */
  payment: 'Payment',
  /** Before and after the name of the merchant. Shown with every outcome, so it must not ask for a payment. */
  payTo: { before: 'Payment to ', after: '' },
  order: 'Order',
  test: 'Test payment: no real money',
  timeLeft: 'Time left',
  payBy: (time: string) => `Pay by ${time}`,
  otherLanguage: 'বাংলা',
  methods: { payment: 'Payment', sendMoney: 'Send Money', cashOut: 'Cash Out' } satisfies OfAction,
  providers: { BKASH: 'bKash', NAGAD: 'Nagad' } satisfies Record<Guide['provider'], string>,
  chooseTitle: 'How do you want to pay?',
  /** Must fit into one line on a phone. */
  methodHints: {
    payment: 'No fee.',
    sendMoney: 'A small fee is possible.',
    cashOut: 'Fee. Only if the shop asks.',
  } satisfies OfAction,
  lastUsed: 'Used last time',
  continue: 'Continue',
  changeMethod: 'Change',
  amount: 'Amount',
  receiver: { payment: 'Merchant number', sendMoney: 'Receiver number', cashOut: 'Agent number' } satisfies OfAction,
  reference: 'Reference',
  referenceWhy: 'Enter it exactly like this: it links your payment to your order.',
  copy: 'Copy',
  phoneOffline:
    'The shop’s phone is offline right now. You can pay, but the confirmation may take longer. Keep the SMS of your payment.',
  channelApp: (provider: string) => `${provider} app`,
  channelUssd: (code: string) => `Dial ${code}`,
  channelLegend: 'Where do you pay?',
  steps: {
    /** The app exists in both languages, so the menu entry is given in English and in the language of the page. */
    openApp: (provider: string, menu: string, _name: string) => `Open ${provider}, tap ${menu}.`,
    /** The numbers of USSD menus change, so the text names the entry. */
    dial: (code: string, menu: string) => `Dial ${code} from your wallet’s number and choose ${menu}.`,
    /** Appended for Cash Out. */
    askAgent: ' If it asks from where, choose an agent.',
    counter: 'Enter counter number 1, if it asks.',
    pin: 'Confirm with your PIN.',
  },
  neverPin: 'We never ask for your PIN or OTP.',
  listening: 'Waiting for your payment. This page updates automatically.',
  trxTitleFirst: (label: string) => `After paying, enter the ${label}`,
  trxSummary: (label: string) => `Paid, but nothing happens? Enter the ${label}`,
  trxIntro: (label: string) => `With the ${label} we find your payment, even if you did not enter the reference.`,
  trxLabel: (label: string) => `${label} from the SMS`,
  trxHint: (label: string, example: string, length: number) =>
    `Find it in the SMS after “${label}”: ${length} letters and digits, for example ${example}.`,
  payerDigitsLabel: 'Last 3 digits of the number you paid from',
  payerDigitsHint: 'For example 345 for 01712000345. They protect your payment from being used by others.',
  trxSubmit: 'Check my payment',
  trxOther: (label: string) => `Enter another ${label}`,
  trxLate: (label: string) => `Paid already? Enter the ${label}`,
  showSteps: 'Show how to pay',
  checkNow: 'Check now',
  cancel: 'Cancel payment',
  keepPaying: 'Go back and pay',
  outcomes: {
    paid: { title: 'Paid', body: 'Your payment has arrived. Thank you!' },
    review: {
      title: 'Being checked by the shop',
      body: 'Your payment was found, but something about it differs. The shop checks it by hand. Do not pay again.',
    },
    expired: {
      title: 'This payment has expired.',
      body: 'No payment arrived in time. Do not pay now. If you still want to buy, place a new order in the shop.',
    },
    failed: {
      title: 'This payment cannot be completed',
      body: 'The shop can no longer receive it. Do not pay now. Place a new order in the shop. If you have already paid, contact the shop.',
    },
    rejected: {
      title: 'Payment not accepted',
      body: 'The shop checked your payment and did not accept it. Do not pay again. Contact the shop about your money.',
    },
    cancelled: {
      title: 'Payment cancelled',
      body: 'No money was taken. If you have already paid, your payment still counts.',
    },
    checking: {
      title: 'Time is over, checking',
      body: 'We are checking whether your payment came in time. Please do not pay now.',
    },
    waiting: {
      title: 'Waiting for the SMS',
      body: 'We have your transaction id. This page updates as soon as the shop receives the SMS of your payment. Do not pay again.',
    },
    unavailable: {
      title: 'No payment possible right now',
      body: 'The shop cannot receive this payment right now. Please try again later or contact the shop.',
    },
  } satisfies Record<OutcomeName, { title: string; body: string }>,
  redirect: { before: 'Back to the shop in', after: 's', now: 'Go now', stay: 'Stay here' },
  closeHint: 'You can close this page.',
  /** Before and after the name of the merchant. */
  backTo: { before: 'Back to ', after: '' },
  contact: { before: 'Questions? Contact ', after: '' },
  receipt: { title: 'Receipt', method: 'Paid with', time: 'Time', print: 'Print receipt' },
  notices: {
    choose: 'Please choose how you want to pay.',
    method_unavailable: 'This way to pay is not available right now. Please choose another.',
    method_fixed: 'The shop has already chosen the payment method for this order.',
    malformed: 'This is not a valid transaction id. Copy it from the SMS exactly: letters and digits only.',
    malformed_digits: 'Please enter the last three digits of the number you paid from.',
    used: 'This transaction id has already been used for another payment. Please look at the SMS again.',
    kept_late:
      'We have your transaction id. The payment time was over, so the shop checks the payment by hand. Do not pay again.',
    not_pending: 'This payment has already ended. See below.',
    busy: 'We have your transaction id and are still checking.',
  } satisfies Record<Notice, string>,
  problems: {
    unknown: {
      title: 'Payment page not found',
      body: 'There is no payment at this address. Please open the link in the shop again.',
    },
    unavailable: {
      title: 'Temporarily unavailable',
      body: 'We cannot show your payment right now. Money that you have paid is safe. Please try again.',
    },
    limited: { title: 'Too many attempts', body: 'Please wait a minute, then try again.' },
    wrong: {
      title: 'Something went wrong',
      body: 'This is an error on our side. Money that you have paid is safe. Please try again.',
    },
  },
  tryAgain: 'Try again',
  /** Texts of the script. `{n}` is replaced by a number. */
  script: {
    copied: 'Copied',
    lastMinute: 'One minute left.',
    offline: 'No internet connection. This page continues when the connection is back.',
    online: 'Connected again.',
    sending: 'Checking…',
    redirecting: 'Back to the shop in {n} seconds.',
    unreachable: 'Your request could not be sent. Check your connection and try again.',
  },
};
