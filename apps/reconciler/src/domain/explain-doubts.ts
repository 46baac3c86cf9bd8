import {
  BALANCE_BREAK,
  DOUBT_SENTENCES,
  isReviewedByDefault,
  LOST_SIGNAL_SENTENCE,
  signalInWords,
  type SmsSignal,
} from '@pay/contracts';

export interface Doubted {
  readonly doubts: readonly string[];
  /** Null if the text was not parsed. */
  readonly signals: readonly SmsSignal[] | null;
}

const SENTENCES: Readonly<Record<string, string>> = DOUBT_SENTENCES;

/** The doubts about a text as sentences for reviewers, the most important first; each signal has its own sentence. */
export function explainDoubts({ doubts, signals }: Doubted): string[] {
  const sentences = doubts.flatMap((doubt) => {
    if (doubt === 'forgery_signals') return namedSignals(signals ?? []);
    if (doubt === BALANCE_BREAK) return signalInWords(balanceBreakOf(signals ?? []));
    return Object.hasOwn(SENTENCES, doubt) ? (SENTENCES[doubt] ?? []) : [];
  });
  return [...new Set(sentences)];
}

/** A later event may have removed the signal that caused the doubt. */
function balanceBreakOf(signals: readonly SmsSignal[]): { readonly name: string; readonly detail?: string } {
  return signals.find(({ name }) => name === BALANCE_BREAK) ?? { name: BALANCE_BREAK };
}

/** Forgery signals come first. A row of an older version may have lost the signals that caused its doubt. */
function namedSignals(signals: readonly SmsSignal[]): string[] {
  const named = signals.filter(({ name }) => name !== BALANCE_BREAK);
  const first = named.filter(({ name }) => isReviewedByDefault(name));
  const rest = named.filter(({ name }) => !isReviewedByDefault(name));
  if (named.length === 0) return [LOST_SIGNAL_SENTENCE];
  return [...first, ...rest].map(signalInWords);
}
