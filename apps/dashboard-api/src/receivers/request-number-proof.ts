import { DAY_MS, normaliseMsisdn } from '@pay/contracts';
import type { Transaction } from '@pay/persistence';
import { closeNumberProof, insertNumberProof, openNumberProofs, type NumberProof } from './number-proof-repository';
import { MOST_OPEN_PROOFS, REQUEST_DAYS } from '../domain/number-proof';
import { lockMerchant } from '../changes/lock-record';
import { recordAction } from '../changes/record-action';
import { Refusal } from '../changes/refusal';
import type { ChangeDeps } from '../changes/store-change';

export interface RequestNumberProofInput {
  readonly merchantId: string;
  readonly userId: string;
  readonly msisdn: string;
}

/** Returns the open request of the number if there is one. */
export async function requestNumberProof(
  deps: ChangeDeps,
  tx: Transaction,
  { merchantId, userId, msisdn: written }: RequestNumberProofInput,
): Promise<NumberProof> {
  await lockMerchant(tx, merchantId);
  const msisdn = normaliseMsisdn(written);
  if (msisdn === undefined)
    throw new Refusal('msisdn', 'the number must be a mobile number of Bangladesh, such as 01712345678');
  const now = deps.now();
  const all = await openNumberProofs(tx, merchantId);
  const open = all.filter(({ expiresAt }) => expiresAt > now);
  for (const { id } of all.filter((proof) => !open.includes(proof))) await closeNumberProof(tx, id, now);
  const known = open.find((proof) => proof.msisdn === msisdn);
  if (known) return known;
  if (open.length >= MOST_OPEN_PROOFS) throw new Refusal('msisdn', 'too many are open', 'NUMBER_PROOF_LIMIT_REACHED');
  const proof: NumberProof = {
    id: deps.newId(),
    merchantId,
    msisdn,
    createdAt: now,
    expiresAt: new Date(now.getTime() + REQUEST_DAYS * DAY_MS),
    sentAt: null,
    provenAt: null,
    closedAt: null,
  };
  await insertNumberProof(tx, proof, userId);
  await recordAction(deps, tx, { action: 'number_proof.requested', subjectId: proof.id, merchantId, after: proof });
  return proof;
}
