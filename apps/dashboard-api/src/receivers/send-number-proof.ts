import type { Transaction } from '@pay/persistence';
import { newPairingCode } from '../devices/pairing-code';
import { hashPassword, OPERATOR } from '../sign-in/passwords';
import { lockNumberProof, storeSentCode } from './number-proof-repository';
import { codeText, CODE_HOURS, proofState } from '../domain/number-proof';
import { lockMerchant } from '../changes/lock-record';
import { recordAction } from '../changes/record-action';
import { Refusal } from '../changes/refusal';
import type { ChangeDeps } from '../changes/store-change';

/**
 * The operator sends the code to the number by SMS or as the reference of a small payment. Only the operator sees it,
 * so a person who enters it has the SIM.
 */
export async function sendNumberProof(
  deps: ChangeDeps,
  tx: Transaction,
  { proofId }: { readonly proofId: string },
): Promise<{ msisdn: string; code: string; text: string; expiresAt: Date }> {
  const proof = await lockNumberProof(tx, proofId);
  const now = deps.now();
  if (!proof || !['REQUESTED', 'CODE_SENT'].includes(proofState(proof, now)))
    throw new Refusal('proof', 'there is no open request with this id', 'NOT_FOUND');
  const { name } = await lockMerchant(tx, proof.merchantId);
  const code = newPairingCode();
  const expiresAt = new Date(now.getTime() + CODE_HOURS * 3_600_000);
  await storeSentCode(tx, proofId, await hashPassword(code, OPERATOR), now, expiresAt);
  await recordAction(deps, tx, {
    action: 'number_proof.code_sent',
    subjectId: proofId,
    merchantId: proof.merchantId,
    after: { msisdn: proof.msisdn, expiresAt },
  });
  return { msisdn: proof.msisdn, code, text: codeText(name, code), expiresAt };
}
