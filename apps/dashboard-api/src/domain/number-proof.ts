/** Time for the operator to send the code, and then for the merchant to enter it. */
export const REQUEST_DAYS = 7;
export const CODE_HOURS = 24;
export const MOST_WRONG_CODES = 5;
export const MOST_OPEN_PROOFS = 10;

export type NumberProofState = 'REQUESTED' | 'CODE_SENT' | 'PROVEN' | 'EXPIRED' | 'CLOSED';

export interface NumberProofTimes {
  readonly sentAt: Date | null;
  readonly provenAt: Date | null;
  readonly closedAt: Date | null;
  readonly expiresAt: Date;
}

export function proofState({ sentAt, provenAt, closedAt, expiresAt }: NumberProofTimes, now: Date): NumberProofState {
  if (closedAt !== null) return 'CLOSED';
  if (provenAt !== null) return 'PROVEN';
  if (expiresAt <= now) return 'EXPIRED';
  return sentAt === null ? 'REQUESTED' : 'CODE_SENT';
}

/** The text warns recipients who requested no code not to pass it on. */
export function codeText(merchantName: string, code: string): string {
  return (
    `${code} is the code by which ${merchantName} proves that this number receives its payments. ` +
    'If you do not work for it, do not share the code.'
  );
}
