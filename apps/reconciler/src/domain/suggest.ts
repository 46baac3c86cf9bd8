import { formatAmount, type IntentStatus, type Poisha, type Suggestion } from '@pay/contracts';

/** The part of an intent that suggestions use. */
export interface KnownIntent {
  readonly id: string;
  readonly referenceKey: string;
  readonly amount: Poisha;
  readonly status: IntentStatus;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** A text that has not paid. */
export interface Part {
  readonly smsEventId: string;
  readonly amount: Poisha;
  readonly payerMsisdn: string | undefined;
}

export interface Puzzle {
  readonly money: Part & { readonly referenceKey: string | undefined };
  readonly leadsTo: string | undefined;
  /** The intent that the money's reference names. */
  readonly named: KnownIntent | undefined;
  /** Intents with similar references. */
  readonly alike: readonly KnownIntent[];
  /** Intents for exactly this amount and number that were open at the time of the payment. */
  readonly sameAmount: readonly KnownIntent[];
  /** Texts with the same reference, including this one. */
  readonly parts: readonly Part[];
  /** The SMS that has paid the intent that this money leads to. */
  readonly paidBy: string | undefined;
}

const MOST = 5;

/** Hints for a reviewer, one sentence each. They have no score and no effect. */
export function suggest(puzzle: Puzzle): Suggestion[] {
  const { money, leadsTo, alike, sameAmount, paidBy } = puzzle;
  const suggestions: Suggestion[] = [];
  if (paidBy !== undefined && leadsTo !== undefined) {
    suggestions.push({
      kind: 'already_paid',
      sentence: `The payment intent has already been paid by another SMS. This payment of ${formatAmount(money.amount)} BDT is additional: refund it, or use it for another intent.`,
      values: { amount: formatAmount(money.amount) },
      paymentIntentIds: [leadsTo],
      smsEventIds: [paidBy],
    });
  }
  const together = partsThatAddUp(puzzle);
  if (together !== undefined) suggestions.push(together);
  for (const intent of alike.filter(isUnpaid).slice(0, MOST)) {
    suggestions.push({
      kind: 'reference_misspelt',
      sentence:
        `The text names ${money.referenceKey ?? ''}; an intent for ${formatAmount(intent.amount)} BDT has the reference ` +
        `${intent.referenceKey}, which looks almost the same.`,
      values: {
        writtenReference: money.referenceKey ?? '',
        reference: intent.referenceKey,
        amount: formatAmount(intent.amount),
      },
      paymentIntentIds: [intent.id],
      smsEventIds: [],
    });
  }
  for (const intent of sameAmount.filter(({ id }) => id !== leadsTo).slice(0, MOST)) {
    suggestions.push({
      kind: 'amount_fits',
      sentence: `An intent with the reference ${intent.referenceKey} expected exactly ${formatAmount(intent.amount)} BDT on this number when the payment arrived.`,
      values: { reference: intent.referenceKey, amount: formatAmount(intent.amount) },
      paymentIntentIds: [intent.id],
      smsEventIds: [],
    });
  }
  if (leadsTo === undefined && suggestions.length === 0) {
    suggestions.push({
      kind: 'no_intent',
      sentence:
        'No intent has a similar reference, and none expected this amount on this number when the payment arrived.',
      values: {},
      paymentIntentIds: [],
      smsEventIds: [],
    });
  }
  return suggestions;
}

function partsThatAddUp({ money, named, parts }: Puzzle): Suggestion | undefined {
  if (named === undefined || !isUnpaid(named) || money.payerMsisdn === undefined) return undefined;
  const ofPayer = parts.filter(({ payerMsisdn }) => payerMsisdn === money.payerMsisdn);
  const total = ofPayer.reduce((sum, { amount }) => sum + amount, 0n);
  if (ofPayer.length < 2 || total !== named.amount) return undefined;
  const sum = ofPayer.map(({ amount }) => formatAmount(amount)).join(' + ');
  return {
    kind: 'parts_add_up',
    sentence: `${ofPayer.length} texts of one payer name this reference: ${sum} = ${formatAmount(total)} BDT, which is the amount of the intent.`,
    values: { parts: ofPayer.map(({ amount }) => formatAmount(amount)), amount: formatAmount(total) },
    paymentIntentIds: [named.id],
    smsEventIds: ofPayer.map(({ smsEventId }) => smsEventId),
  };
}

function isUnpaid({ status }: KnownIntent): boolean {
  return status !== 'PAID' && status !== 'REJECTED';
}
