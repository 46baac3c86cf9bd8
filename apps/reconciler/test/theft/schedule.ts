import { randomUUID } from 'node:crypto';
import type { Tenant } from '@pay/contracts';
import type { Arrival, ClaimArrival } from '../../src/domain/arrivals';
import type { Intent } from '../../src/domain/facts';
import {
  after,
  anIntent,
  aSignal,
  expires,
  intentArrives,
  smsArrives,
  someEvidence,
  submittedAgain,
} from '../builders';

/** The builders' wallet text says that the payment was made at 10:02. */
const PAID_AT = after(2);
const PAYER = '01812345678';
const PAYER_DIGITS = '678';
/** More claims than an intent may have open. */
const GUESSES = 10;

export interface Schedule {
  readonly seed: number;
  readonly tenant: Tenant;
  /** Every second schedule. The attacker knows the TrxID of a screenshot, but not the number of the payer. */
  readonly requirePayerDigits: boolean;
  /** Delivered in this order, each batch in one transaction. */
  readonly batches: readonly (readonly Arrival[])[];
  readonly trxId: string;
  readonly smsEventId: string;
  readonly payer: Intent;
  readonly attackers: readonly Intent[];
  /**
   * An open intent of the attacker has a claim of the TrxID that does not precede the payment by more than two minutes.
   */
  readonly hasRival: boolean;
  /** The payer gives the digits that the text shows. */
  readonly hasPayerDigits: boolean;
  /**
   * A claim that the attacker read from a screenshot can be decided with its text while the payer's own claim has not
   * been made.
   */
  readonly isScreenshotFirst: boolean;
}

type Random = () => number;

/** The same numbers for the same seed (mulberry32). */
function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * One payment, the claims of its payer, and what an attacker with several intents of the same amount does beside it.
 */
export function scheduleOf(seed: number): Schedule {
  const random = randomOf(seed);
  const chance = (part: number) => random() < part;
  const between = (low: number, high: number) => low + Math.floor(random() * (high - low + 1));
  const tenant: Tenant = { merchantId: randomUUID(), environment: 'LIVE' };
  const requirePayerDigits = seed % 2 === 0;
  const number = between(100_000, 900_000);
  const trxIdOf = (n: number) => `75N${number + n}`;
  const trxId = trxIdOf(0);
  const made = { tenant, createdAt: after(-20), expiresAt: after(30) };
  const payer = anIntent({ ...made, reference: 'PAYER' });
  const attackers = [1, 2, 3].map((n) => anIntent({ ...made, reference: `ATTACKER${n}` }));
  const guessers = [1, 2, 3, 4].map((n) => anIntent({ ...made, reference: `GUESSER${n}` }));
  const closed = anIntent({ ...made, reference: 'CLOSED' });

  // As at checkout, a repeated submission for one intent is the same claim.
  const ids = new Map<string, string>();
  const claimOf = (intent: Intent, submittedAt: Date, given: { trxId?: string; payerDigits?: string } = {}) => {
    const named = { intentId: intent.id, trxId, ...given };
    const key = `${named.intentId} ${named.trxId}`;
    const id = ids.get(key) ?? randomUUID();
    ids.set(key, id);
    return { kind: 'claim', tenant, claim: { id, ...named, submittedAt } } satisfies ClaimArrival;
  };
  const secondsLater = (n: number) => new Date(PAID_AT.getTime() + n * 1_000);
  const seconds = (from: number, to: number) => secondsLater(between(from, to));

  // The attacker: TrxIDs are almost sequential, so the next ones can be guessed; a wrong guess of the payer's digits
  // costs nothing.
  const moves: ClaimArrival[] = [];
  const guessesDigits = (): { payerDigits?: string } => (chance(0.5) ? { payerDigits: '679' } : {});
  for (const intent of attackers) {
    if (!chance(0.6)) continue;
    const from = between(0, GUESSES - 1);
    const guessedAt = seconds(-900, -121);
    for (let n = 0; n < GUESSES; n += 1) {
      const at = new Date(guessedAt.getTime() + n);
      moves.push(claimOf(intent, at, { trxId: trxIdOf(n - from), ...guessesDigits() }));
    }
  }
  const [first, second] = attackers;
  const near = first !== undefined && chance(0.2) ? [claimOf(first, seconds(-120, -1), guessesDigits())] : [];
  const screenshots = second !== undefined && chance(0.5) ? [claimOf(second, seconds(0, 300), guessesDigits())] : [];
  const hasClosed = chance(0.4);

  // The payer: once, or once too early by a wrong clock and again after the payment; the same TrxID has the same claim
  // id.
  const givesDigits = chance(requirePayerDigits ? 0.9 : 0.3);
  const payerMsisdn = chance(0.8) ? PAYER : '01812***678';
  const showsDigits = chance(0.9);
  const digits = givesDigits ? { payerDigits: PAYER_DIGITS } : {};
  const claimed = claimOf(payer, seconds(5, 240), digits);
  const early = claimOf(payer, seconds(-200, -1), digits);
  const payers = chance(0.3) ? [early, claimed] : [claimed];

  const forged = someEvidence({
    tenant,
    trxId: trxIdOf(50),
    reference: 'ATTACKER3',
    providerTime: PAID_AT,
    ingestedAt: seconds(60, 90),
    signals: [aSignal('trx_id_date')],
  });
  const unsigned = someEvidence({
    tenant,
    trxId: trxIdOf(60),
    reference: 'ATTACKER1',
    providerTime: PAID_AT,
    ingestedAt: seconds(60, 90),
    authenticity: 'unsigned',
  });
  const text = someEvidence({
    tenant,
    trxId,
    providerTime: PAID_AT,
    ingestedAt: seconds(61, 120),
    payerMsisdn: showsDigits ? payerMsisdn : undefined,
  });

  const shuffled = <Thing>(things: readonly Thing[]): Thing[] =>
    things
      .map((thing) => ({ thing, key: random() }))
      .sort((one, other) => one.key - other.key)
      .map(({ thing }) => thing);
  const known = [payer, ...attackers].map(intentArrives);
  const facts: Arrival[] = [...moves, ...near, ...screenshots, ...payers, smsArrives(text)];
  if (chance(0.4)) facts.push(smsArrives(forged));
  if (chance(0.4)) facts.push(smsArrives(unsigned));
  const repeated = facts.filter(() => chance(0.2));
  // Most intents are known before anything is claimed; some of them only afterwards.
  const late = known.filter(() => chance(0.1));
  const order = shuffled([...facts, ...repeated, ...late]);
  const batches: Arrival[][] = [known.filter((each) => !late.includes(each))];
  if (hasClosed) batches.push([intentArrives(closed), claimOf(closed, seconds(0, 30))], [expires(closed)]);
  while (order.length > 0) batches.push(order.splice(0, between(1, 6)));
  // A claim that was decided with wrong digits is sent again with the right ones: three digits can be found by trying.
  if (second !== undefined && screenshots.some(({ claim }) => claim.payerDigits !== undefined))
    batches.push([claimOf(second, seconds(301, 400), { payerDigits: PAYER_DIGITS })]);
  const sentAgain = (claims: readonly ClaimArrival[], from: number) =>
    claims.map((each, n) => submittedAgain(each, secondsLater(from + n)));
  // Customers who wait for a review send the TrxID again at the same time.
  if (chance(0.5)) batches.push(sentAgain([...near, ...screenshots, claimed], 420));
  // After three wrong guesses of the digits, the right ones come in one batch with the wrong ones, sent again.
  if (chance(0.5)) {
    const guesses = ['676', '677', '679', PAYER_DIGITS].map((payerDigits) => ({ payerDigits }));
    const claims = guessers.map((intent, n) => claimOf(intent, secondsLater(440 + n), guesses[n]));
    const [wrong, right] = [claims.slice(0, 3), claims.slice(3)];
    batches.push(guessers.map(intentArrives), wrong, [...right, ...sentAgain(wrong, 450)]);
  }

  const placeOf = (isIt: (arrival: Arrival) => boolean) => batches.findIndex((batch) => batch.some(isIt));
  const placeOfText = placeOf((each) => each.kind === 'sms' && each.evidence === text);
  /** The batch in which the text, a claim and its intent are there for the first time. */
  const decidableAt = (claim: ClaimArrival) => {
    const placeOfIntent = placeOf((each) => each.kind === 'intent' && each.intent.id === claim.claim.intentId);
    return Math.max(
      placeOfText,
      placeOfIntent,
      batches.findIndex((batch) => batch.includes(claim)),
    );
  };
  const isBeforePayer = (claim: ClaimArrival) => {
    const [own, payers] = [decidableAt(claim), decidableAt(claimed)];
    // Claims that find their text decided are decided in the order of their submission.
    const isFirstOfBatch = own > placeOfText && claim.claim.submittedAt < claimed.claim.submittedAt;
    return own < payers || (own === payers && isFirstOfBatch);
  };
  return {
    seed,
    tenant,
    requirePayerDigits,
    batches,
    trxId,
    smsEventId: text.smsEventId,
    payer,
    attackers: [...attackers, ...guessers],
    hasRival: near.length + screenshots.length > 0,
    hasPayerDigits: givesDigits && showsDigits,
    isScreenshotFirst: screenshots.some(isBeforePayer),
  };
}
