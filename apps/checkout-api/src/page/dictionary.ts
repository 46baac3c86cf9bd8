import type { en } from './en';

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

/** Every text of the page. A language without one of them does not compile. */
export type Dictionary = typeof en;

export type ScriptTexts = Dictionary['script'];
