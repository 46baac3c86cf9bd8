import type { Tenant } from '@pay/contracts';
import { FIRST_ID, type Queryable } from '@pay/persistence';
import { findChain } from './decision-chain-repository';
import {
  matchStates,
  sealedAfter,
  unsealedAfter,
  type KeptDecision,
  type MatchState,
} from './kept-decision-repository';
import { findCut } from './decision-cut-repository';
import type { DecisionChain } from './decision-chain';
import { paidAmountOf, type DecisionRecord } from '../domain/decision-record';
import { moneyVerification, type PlaceInMoney } from './verify-money';

export interface VerifyDecisionsDeps {
  readonly db: Queryable;
  readonly decisionChain: DecisionChain;
  /** Number of decisions per page. */
  readonly page?: number;
}

/** The first difference from the decisions. */
export interface BrokenLink {
  readonly problem: string;
  readonly position: string | null;
  readonly decisionId: string | null;
  readonly matchId: string | null;
  readonly paymentIntentId: string | null;
}

export interface VerifiedChain extends Tenant {
  readonly sealed: number;
  /** Entries up to this one were deleted by retention; null: none. */
  readonly cut: { readonly position: string; readonly through: string } | null;
  /** Decisions that were not linked yet; their signatures are good. */
  readonly unsealed: number;
  /** Payments whose money, intent and decision agree. */
  readonly payments: number;
  /** The end of the chain, to be compared with what was published. */
  readonly head: { readonly position: string; readonly link: string | null };
  readonly broken: BrokenLink | null;
}

/** Values from outside the database. */
export interface KnownElsewhere {
  readonly head?: PublishedHead | undefined;
  /** Older records may have been decided before decisions were stored. */
  readonly since?: Date | undefined;
}

/** A published head of the chain. */
export interface PublishedHead {
  readonly position: bigint;
  readonly link: string;
}

const PAGE = 500;

/**
 * Verifies a tenant's chain from its beginning or its cut, then its money and intents against the chain, up to the
 * first difference. New decisions may be made meanwhile.
 */
export async function verifyDecisions(
  deps: VerifyDecisionsDeps,
  tenant: Tenant,
  known: KnownElsewhere = {},
): Promise<VerifiedChain> {
  const verification = chainVerification(deps, tenant, known);
  for (;;) {
    const step = await verification.next();
    if (step.done) return step.value;
  }
}

/** The last entry or row that was verified. */
export type PlaceInChain =
  | { readonly part: 'links'; readonly position: string; readonly link: string | null; readonly unsealedId: string }
  | PlaceInMoney;

/** The same in steps of one page, from a place that another call has returned or from the beginning. */
export async function* chainVerification(
  deps: VerifyDecisionsDeps,
  tenant: Tenant,
  known: KnownElsewhere = {},
  place?: PlaceInChain,
): AsyncGenerator<PlaceInChain, VerifiedChain, void> {
  for (let from = place; ; from = undefined) {
    const verified = yield* verifyFromCut(deps, tenant, known, from);
    if (verified.broken === null) return verified;
    // Retention has cut more entries meanwhile, so entries after the known cut were missing.
    const cut = await findCut(deps.db, tenant);
    if ((cut?.position.toString() ?? null) === (verified.cut?.position ?? null)) return verified;
  }
}

/** The position up to which a chain was verified. */
export interface VerifiedPlace {
  readonly position: bigint;
  readonly link: string | null;
}

/** Verifies one page of entries after a position. Returns the last valid one and the problem of the next one. */
export async function verifyPageAfter(
  deps: VerifyDecisionsDeps,
  tenant: Tenant,
  place: VerifiedPlace,
): Promise<VerifiedPlace & { readonly broken: BrokenLink | null }> {
  let { position, link } = place;
  const page = await sealedAfter(deps.db, tenant, position, deps.page ?? PAGE);
  for (const { decision, match } of await withMatches(deps, page)) {
    const expected = { position: position + 1n, previous: link, match, published: undefined };
    const problem = problemOfLink(deps, decision, expected);
    if (problem !== undefined) return { position, link, broken: brokenAt(decision, problem) };
    position += 1n;
    link = decision.link;
  }
  return { position, link, broken: null };
}

async function* verifyFromCut(
  deps: VerifyDecisionsDeps,
  tenant: Tenant,
  { head: published, since }: KnownElsewhere,
  from: PlaceInChain | undefined,
): AsyncGenerator<PlaceInChain, VerifiedChain, void> {
  // The head is read first: entries that are sealed meanwhile come after it.
  const head = await findChain(deps.db, tenant);
  const cut = await findCut(deps.db, tenant);
  let position = cut?.position ?? 0n;
  let link: string | null = cut?.link ?? null;
  let unsealed = 0;
  let payments = 0;
  const answer = (broken: BrokenLink | null): VerifiedChain => ({
    ...tenant,
    sealed: Number(position - (cut?.position ?? 0n)),
    unsealed,
    payments,
    cut: cut === undefined ? null : { position: cut.position.toString(), through: cut.through.toISOString() },
    head: { position: position.toString(), link },
    broken,
  });
  if (cut !== undefined && !deps.decisionChain.isCut(cut, cut))
    return answer(brokenAfter(position - 1n, 'the signature of the retention cut is invalid'));
  if (cut !== undefined && published?.position === cut.position && published.link !== cut.link)
    return answer(brokenAfter(position - 1n, 'the published head has a different link'));
  let unsealedId = from?.part === 'links' ? from.unsealedId : FIRST_ID;
  const here = (): PlaceInChain => ({ part: 'links', position: position.toString(), link, unsealedId });
  if (from?.part === 'links' && BigInt(from.position) > position) {
    position = BigInt(from.position);
    link = from.link;
  }
  // Money is verified after the whole chain.
  const inMoney = from?.part === 'links' ? undefined : from;
  if (inMoney === undefined) {
    for await (const page of pages(deps, (last) =>
      sealedAfter(deps.db, tenant, last?.position ?? position, deps.page ?? PAGE),
    )) {
      for (const { decision, match } of page) {
        const problem = problemOfLink(deps, decision, { position: position + 1n, previous: link, match, published });
        if (problem !== undefined) return answer(brokenAt(decision, problem));
        position += 1n;
        link = decision.link;
        if (head?.position === position && head.link !== link)
          return answer(brokenAt(decision, 'the stored chain head differs from this entry'));
      }
      yield here();
    }
    if (position < (head?.position ?? 0n))
      return answer(brokenAfter(position, `entries up to ${head?.position} are missing`));
    if (position < (published?.position ?? 0n))
      return answer(brokenAfter(position, `entries up to the published ${published?.position} are missing`));
    for await (const page of pages(deps, (last) =>
      unsealedAfter(deps.db, tenant, last?.id ?? unsealedId, deps.page ?? PAGE),
    )) {
      for (const { decision, match } of page) {
        const problem = problemOfRecord(deps, decision, match);
        if (problem !== undefined) return answer(brokenAt(decision, problem));
        unsealed += 1;
        unsealedId = decision.id;
      }
      yield here();
    }
  }
  const kept = laterOf(since, cut && new Date(cut.through.getTime() + 1));
  const money = yield* moneyVerification(deps, tenant, kept, inMoney);
  payments = money.payments;
  return answer(money.problem && { position: null, ...money.problem });
}

/** Decisions about earlier records may have been deleted by retention. */
function laterOf(one: Date | undefined, other: Date | undefined): Date | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one > other ? one : other;
}

interface DecisionAndMatch {
  readonly decision: KeptDecision;
  readonly match: MatchState | undefined;
}

async function* pages(
  deps: VerifyDecisionsDeps,
  next: (last: KeptDecision | undefined) => Promise<KeptDecision[]>,
): AsyncGenerator<readonly DecisionAndMatch[]> {
  for (let last: KeptDecision | undefined; ;) {
    const page = await next(last);
    if (page.length === 0) return;
    yield await withMatches(deps, page);
    last = page.at(-1);
  }
}

/** Matches are read after the decisions, so that each match is at least as new as its decision. */
async function withMatches(
  { db }: VerifyDecisionsDeps,
  page: readonly KeptDecision[],
): Promise<readonly DecisionAndMatch[]> {
  const matches = await matchStates(
    db,
    page.map(({ matchId }) => matchId),
  );
  return page.map((decision) => ({ decision, match: matches.get(decision.matchId) }));
}

interface Expected {
  readonly position: bigint;
  readonly previous: string | null;
  readonly match: MatchState | undefined;
  readonly published: PublishedHead | undefined;
}

function problemOfLink(
  deps: VerifyDecisionsDeps,
  decision: KeptDecision,
  { position, previous, match, published }: Expected,
): string | undefined {
  const { merchantId, environment, mac, linkKeyId, link } = decision;
  if (decision.position !== position) return `entry ${position} is missing`;
  const problem = problemOfRecord(deps, decision, match);
  if (problem !== undefined) return problem;
  const place = { merchantId, environment, position, previous, mac };
  if (linkKeyId === null || link === null || !deps.decisionChain.isLinked(place, { keyId: linkKeyId, mac: link }))
    return 'the link does not match the previous entry';
  if (published?.position === position && published.link !== link) return 'the published head has a different link';
  return undefined;
}

function problemOfRecord(
  { decisionChain }: VerifyDecisionsDeps,
  decision: KeptDecision,
  match: MatchState | undefined,
): string | undefined {
  const { record, keyId, mac } = decision;
  if (!decisionChain.isSigned(record, { keyId, mac })) return 'the record does not match its signature';
  const signed = JSON.parse(record) as DecisionRecord;
  const sameNames = (['id', 'merchantId', 'environment', 'matchId', 'smsEventId', 'paymentIntentId'] as const).every(
    (name) => signed[name] === decision[name],
  );
  if (!sameNames) return 'the stored ids differ from the signed record';
  if (decision.paidAmount !== null && decision.paidAmount !== paidAmountOf(signed))
    return 'the stored amount differs from the signed record';
  return problemOfMatch(signed, match);
}

/** Only the last decision about an SMS determines its match. A decision about an intent alone has no match. */
function problemOfMatch(signed: DecisionRecord, match: MatchState | undefined): string | undefined {
  if (signed.sms === null) return undefined;
  if (match === undefined) return 'its match does not exist';
  if (match.smsSequence < signed.sms.sequence) return 'the match is older than this decision';
  const isLast = match.smsSequence === signed.sms.sequence;
  const isSame =
    match.status === signed.status &&
    match.reason === signed.reason &&
    match.paymentIntentId === signed.paymentIntentId;
  return isLast && !isSame ? 'the match differs from the signed decision' : undefined;
}

function brokenAt({ position, id, matchId, paymentIntentId }: KeptDecision, problem: string): BrokenLink {
  return { problem, position: position?.toString() ?? null, decisionId: id, matchId, paymentIntentId };
}

function brokenAfter(position: bigint, problem: string): BrokenLink {
  return { problem, position: (position + 1n).toString(), decisionId: null, matchId: null, paymentIntentId: null };
}
