import type { Environment } from '@pay/contracts';
import { NEW_SHOP, type ClaimFact, type IntentFact, type Shop, type TextFact } from './facts';

export interface Intent extends IntentFact {
  shown: readonly number[];
  sequence: number;
  status: string;
  rejectedAt: number | undefined;
}
export interface Text extends TextFact {
  status: string;
  reason: string;
  /** What it was before a person closed it. */
  before: { readonly status: string; readonly reason: string };
  /** The intent that it leads to, or pays. */
  about: string | null;
  paidInTime: boolean | null;
  signals: readonly string[];
  signalsSequence: number;
  /** Money came in: not a duplicate, and understood. */
  isMoney: boolean;
  /** Its match window is over: only a person may use it. */
  isPastWindow: boolean;
  /** A person has rejected another intent for it: it pays nothing automatically. */
  hasRejectedIntent: boolean;
  /** It has replaced a text with other facts: it pays nothing automatically. */
  isContradicting: boolean;
}
/** `at` is the latest submission by the end of its intent, or the latest of all, or the first while it is unknown. */
export interface Claim extends ClaimFact {
  at: number;
  latest: number;
  answer: string;
  isSettled: boolean;
  /** It was decided with a text of its TrxID. */
  hasText: boolean;
}
export interface Model {
  shop: Shop;
  readonly intents: Map<string, Intent>;
  readonly texts: Map<string, Text>;
  readonly claims: Map<string, Claim>;
  readonly early: Map<string, { readonly signals: readonly string[]; readonly sequence: number }>;
}

export function newModel(): Model {
  return { shop: NEW_SHOP, intents: new Map(), texts: new Map(), claims: new Map(), early: new Map() };
}

export const isOpen = ({ status }: Intent) => status === 'PENDING' || status === 'REVIEW_REQUIRED';
export const isUnspent = ({ status, isMoney }: Text) =>
  isMoney && ['PENDING', 'REVIEW_REQUIRED', 'EXPIRED'].includes(status);
export const isUsed = ({ status }: Text) => status === 'MATCHED' || status === 'MANUALLY_RESOLVED';

export function namedBy({ intents }: Model, { environment, reference }: Text): Intent | undefined {
  return [...intents.values()].find((each) => each.environment === environment && each.reference === reference);
}

export function textsOf(
  { texts }: Model,
  { environment, trxId }: { readonly environment: Environment; readonly trxId: string },
): Text[] {
  return [...texts.values()].filter((text) => text.isMoney && text.environment === environment && text.trxId === trxId);
}

export function claimsOn({ claims }: Model, { environment, trxId }: Text): Claim[] {
  return [...claims.values()]
    .filter((claim) => !claim.isSettled && claim.environment === environment && claim.trxId === trxId)
    .sort((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1));
}

export function leadingTo(model: Model, { id, environment, reference }: IntentFact): Text[] {
  const trxIds = new Set([...model.claims.values()].filter((claim) => claim.intentId === id).map(({ trxId }) => trxId));
  return [...model.texts.values()].filter(
    (text) =>
      text.isMoney && text.environment === environment && (text.reference === reference || trxIds.has(text.trxId)),
  );
}

/** The observable state, as read from the database. */
export function seenIn(model: Model): Record<string, unknown> {
  const sorted = (rows: [string, ...unknown[]][]) =>
    Object.fromEntries(rows.sort(([one], [other]) => (one < other ? -1 : 1)).map(([id, ...rest]) => [id, rest]));
  return {
    intents: sorted([...model.intents.values()].map(({ id, status }) => [id, status])),
    texts: sorted(
      [...model.texts.values()].map((text) => {
        const { id, status, reason, about, paidInTime } = text;
        const isContradicting = text.isContradicting || reason === 'contradicting_texts';
        const lasting = [isContradicting, text.hasRejectedIntent].map((doubt) => status === 'REVIEW_REQUIRED' && doubt);
        return [id, status, reason, about, paidInTime, ...lasting];
      }),
    ),
    claims: sorted([...model.claims.values()].map(({ id, answer, isSettled }) => [id, answer, isSettled])),
  };
}
