import type { Guide } from './guide';

/** The subjects of notices. They are part of the URL after a form, so they contain nothing confidential. */
export const NOTICES = [
  'choose',
  'method_unavailable',
  'method_fixed',
  'malformed',
  'malformed_digits',
  'used',
  'kept_late',
  'not_pending',
  'busy',
] as const;
export type Notice = (typeof NOTICES)[number];

export type OutcomeName =
  'paid' | 'review' | 'expired' | 'failed' | 'rejected' | 'cancelled' | 'checking' | 'waiting' | 'unavailable';
export interface OutcomeText {
  readonly title: string;
  readonly body: string;
}

export interface ProblemText {
  readonly title: string;
  readonly body: string;
}

/** Texts of the script; `{n}` is replaced by a number. */
export interface ScriptTexts {
  readonly copied: string;
  readonly lastMinute: string;
  readonly offline: string;
  readonly online: string;
  readonly sending: string;
  readonly redirecting: string;
  readonly unreachable: string;
}

/** Every text of the page. A language without one of them does not compile. */
export interface Dictionary {
  readonly pageTitle: (merchant: string) => string;
  readonly unnamedMerchant: string;
  /** In the header of a page that shows no payment. */
  readonly payment: string;
  /** Around the merchant's name, above the amount. Shown with every outcome, so it must not ask for a payment. */
  readonly payTo: { readonly before: string; readonly after: string };
  readonly order: string;
  readonly test: string;
  readonly timeLeft: string;
  readonly payBy: (time: string) => string;
  readonly otherLanguage: string;
  readonly methods: Readonly<Record<Guide['action'], string>>;
  readonly providers: Readonly<Record<Guide['provider'], string>>;
  readonly chooseTitle: string;
  /** The price of a method and who should choose it, in one line on a phone. */
  readonly methodHints: Readonly<Record<Guide['action'], string>>;
  readonly lastUsed: string;
  readonly continue: string;
  readonly changeMethod: string;
  readonly amount: string;
  readonly receiver: Readonly<Record<Guide['action'], string>>;
  readonly reference: string;
  readonly referenceWhy: string;
  readonly copy: string;
  readonly phoneOffline: string;
  readonly channelApp: (provider: string) => string;
  readonly channelUssd: (code: string) => string;
  readonly channelLegend: string;
  readonly steps: {
    /** The app exists in both languages: the menu entry in English, and in the language of the page. */
    readonly openApp: (provider: string, menu: string, name: string) => string;
    /** USSD menus change their numbers, so the text names the entry. */
    readonly dial: (code: string, menu: string) => string;
    /** Appended to either, for Cash Out. */
    readonly askAgent: string;
    readonly counter: string;
    readonly pin: string;
  };
  readonly neverPin: string;
  readonly listening: string;
  readonly trxTitleFirst: (label: string) => string;
  readonly trxSummary: (label: string) => string;
  readonly trxIntro: (label: string) => string;
  readonly trxLabel: (label: string) => string;
  readonly trxHint: (label: string, example: string, length: number) => string;
  readonly payerDigitsLabel: string;
  readonly payerDigitsHint: string;
  readonly trxSubmit: string;
  readonly trxOther: (label: string) => string;
  readonly trxLate: (label: string) => string;
  readonly showSteps: string;
  readonly checkNow: string;
  readonly cancel: string;
  readonly keepPaying: string;
  readonly outcomes: Readonly<Record<OutcomeName, OutcomeText>>;
  readonly redirect: { readonly before: string; readonly after: string; readonly now: string; readonly stay: string };
  readonly closeHint: string;
  /** Around the merchant's name. */
  readonly backTo: { readonly before: string; readonly after: string };
  readonly contact: { readonly before: string; readonly after: string };
  readonly receipt: { readonly title: string; readonly method: string; readonly time: string; readonly print: string };
  readonly notices: Readonly<Record<Notice, string>>;
  readonly problems: Readonly<Record<'unknown' | 'unavailable' | 'limited' | 'wrong', ProblemText>>;
  readonly tryAgain: string;
  readonly script: ScriptTexts;
}
