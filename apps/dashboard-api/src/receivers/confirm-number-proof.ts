import { BusinessError } from '@pay/contracts';
import { type Session } from '@pay/http';
import type { Transaction } from '@pay/persistence';
import { isPassword } from '../sign-in/passwords';
import { insertNotice } from '../sign-in/notice-repository';
import {
  closeNumberProof,
  countWrongCode,
  findHashedNumberProof,
  holderOfNumber,
  lockLiveNumber,
  lockNumberProof,
  proveNumber,
  type NumberProof,
} from './number-proof-repository';
import { receiverAccounts } from '../db/tables';
import { MOST_WRONG_CODES, proofState } from '../domain/number-proof';
import { changed } from '../domain/records';
import type { ManageDeps } from '../changes/on-behalf-of';
import { recordAction } from '../changes/record-action';
import { storeChange, type ChangeDeps } from '../changes/store-change';

export interface ConfirmNumberProofInput {
  readonly session: Session;
  readonly proofId: string;
  readonly code: string;
}

/**
 * Gives the number to this merchant: disables accounts of other merchants with the number and closes an earlier proof,
 * because a SIM can change hands.
 */
export async function confirmNumberProof(
  { db, messaging, now, newId }: ManageDeps,
  { session, proofId, code }: ConfirmNumberProofInput,
): Promise<NumberProof> {
  const deps = { messaging, now, newId, actor: `user:${session.userId}` };
  const known = await findHashedNumberProof(db, proofId, session.merchantId);
  // Verification takes long, so it runs before the transaction, which would hold a connection and a lock.
  const mayVerify = known && known.codeHash !== null && proofState(known, now()) === 'CODE_SENT';
  const verifiedHash =
    mayVerify && (await isPassword(known.codeHash, code, session.userId)) ? known.codeHash : undefined;
  // Throwing would roll back the count of wrong codes.
  const outcome = await db.transaction(async (tx): Promise<NumberProof | 'NOT_FOUND' | 'CODE_WRONG'> => {
    const proof = await lockNumberProof(tx, proofId);
    if (proof?.merchantId !== session.merchantId) return 'NOT_FOUND';
    const at = now();
    const state = proofState(proof, at);
    const { codeHash, ...shown } = proof;
    if (state === 'PROVEN') return shown;
    if (state !== 'CODE_SENT' || codeHash === null) return 'CODE_WRONG';
    // The lock serialises concurrent attempts. The hash differs if another code was sent meanwhile.
    if (codeHash !== verifiedHash) {
      await countWrongCode(tx, proofId, at, MOST_WRONG_CODES);
      return 'CODE_WRONG';
    }
    return prove(deps, tx, shown, at);
  });
  if (typeof outcome === 'string') throw new BusinessError(outcome);
  return outcome;
}

async function prove(deps: ChangeDeps, tx: Transaction, proof: NumberProof, at: Date): Promise<NumberProof> {
  const { id, merchantId, msisdn } = proof;
  await lockLiveNumber(tx, msisdn);
  const holder = await holderOfNumber(tx, msisdn);
  if (holder) await closeNumberProof(tx, holder.id, at);
  await proveNumber(tx, id, at);
  const after = { ...proof, provenAt: at };
  await recordAction(deps, tx, { action: 'number_proof.proven', subjectId: id, merchantId, before: proof, after });
  // The audit log of another merchant must not name the person, so the proof is the actor.
  const actor = `number_proof:${id}`;
  const losers = new Set(holder && holder.merchantId !== merchantId ? [holder.merchantId] : []);
  for (const before of await receiverAccounts.listBy(tx, 'lockActiveElsewhere', [msisdn, merchantId])) {
    const off = changed(before, { isActive: false }, at);
    const change = { kind: 'receiver_account', action: 'receiver_account.number_lost', before, after: off } as const;
    await storeChange({ ...deps, actor }, tx, change);
    losers.add(before.merchantId);
  }
  for (const loser of losers) {
    const notice = { id: deps.newId(), kind: 'number_lost' as const, details: { msisdn }, createdAt: at };
    await insertNotice(tx, loser, notice);
  }
  return after;
}
