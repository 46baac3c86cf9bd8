import { applyMatch } from './apply-match';
import { doubtsAboutText } from './doubts';
import { isUnspent, type Evidence, type Terms } from './facts';
import { lastingDoubtsOf } from './lasting-doubts';
import { matchDecision } from './match-decision';
import type { MatchingSession } from './matching-session';
import type { LastingDoubt } from './reasons';
import type { Match } from './working-set';

/**
 * Replaces the stored text of a TrxID by another one without doubts, if the stored one is doubtful or a person has
 * closed it; returns whether it did. If their facts differ, one of the two is forged, so the new one pays only by a
 * person.
 */
export function replaceText(session: MatchingSession, stored: Evidence, text: Evidence): boolean {
  const { workingSet, queue } = session;
  const terms = session.termsOf(text.tenant);
  const match = workingSet.matches.get(stored.smsEventId);
  const isContradicting = factsDiffer(stored, text);
  if (isDoubtful(text, terms) || !mayBeReplaced(stored, match, isContradicting, terms)) return false;

  const doubts: readonly LastingDoubt[] = isContradicting ? ['contradicting_texts'] : [];
  session.lastingDoubts.set(text.smsEventId, lastingDoubtsOf(match, doubts));
  workingSet.evidence.drop(stored.smsEventId);
  queue.delete(stored.smsEventId);
  if (isContradicting && match?.status === 'REVIEW_REQUIRED') keepInReview(session, stored, match);
  else if (match?.status !== 'REJECTED') becomeDuplicate(session, stored);
  return true;
}

/** Text that repeats the facts of one that a person has closed, or whose match window is over, changes nothing. */
function mayBeReplaced(stored: Evidence, match: Match | undefined, isContradicting: boolean, terms: Terms): boolean {
  if (match?.status === 'REJECTED') return isContradicting;
  return isUnspent(stored) && isDoubtful(stored, terms) && (isContradicting || stored.state !== 'LAPSED');
}

function isDoubtful(evidence: Evidence, terms: Terms): boolean {
  return evidence.receiverAccountId === undefined || doubtsAboutText({ evidence, terms }).length > 0;
}

/** A text that was first forwarded without its SIM has no receiver account; that is no difference. */
function factsDiffer(stored: Evidence, text: Evidence): boolean {
  const { receiverAccountId } = stored;
  return (
    stored.amount !== text.amount ||
    stored.method !== text.method ||
    stored.referenceKey !== text.referenceKey ||
    stored.payerMsisdn !== text.payerMsisdn ||
    stored.providerTime.getTime() !== text.providerTime.getTime() ||
    (receiverAccountId !== undefined && receiverAccountId !== text.receiverAccountId)
  );
}

/** Its exception stays open, because no other one may lead to its intent. It can no longer be used as evidence. */
export function keepInReview({ workingSet, result, newId }: MatchingSession, text: Evidence, match: Match): void {
  const kept: Match = {
    ...match,
    reason: 'contradicting_texts',
    doubts: [...new Set([...match.doubts, 'contradicting_texts' as const])],
    smsSequence: match.smsSequence + 1,
    // Concurrent transactions that have read its evidence read it again.
    revision: match.revision + 1,
    decidedBy: 'system',
    resolutionNote: undefined,
  };
  workingSet.matches.put(kept);
  const details = { evidence: text, ingestedAt: text.ingestedAt, moved: undefined, concernsSms: true };
  result.matches.push(matchDecision(kept, { decisionId: newId(), ...details }));
}

function becomeDuplicate(session: MatchingSession, stored: Evidence): void {
  const { smsEventId, tenant, ingestedAt, factsSequence } = stored;
  const subject = { smsEventId, tenant, ingestedAt, factsSequence, evidence: stored };
  applyMatch(session, subject, { kind: 'duplicate', reason: 'duplicate_trx_id' }, []);
}
