import type { Transaction } from '@pay/persistence';
import { hashRecoveryCode } from './recovery-codes';
import { totpStep } from './totp';
import { spendRecoveryCode, spendStep, type SecondFactorRow } from './second-factor-repository';
import type { SignInDeps } from './sign-in-deps';

const APP_CODE = /^\d{6}$/;

/** Returns which second factor matched. Undefined for a code that is wrong or was used before. */
export async function spendCode(
  deps: SignInDeps,
  tx: Transaction,
  { userId, factor, code }: { userId: string; factor: SecondFactorRow; code: string },
): Promise<'totp' | 'recovery_code' | undefined> {
  const compact = code.replace(/\s/g, '');
  if (!APP_CODE.test(compact)) {
    const spent = await spendRecoveryCode(tx, userId, hashRecoveryCode(code), deps.now());
    return spent === 1 ? 'recovery_code' : undefined;
  }
  const step = totpStep(deps.secretBox.open(userId, factor.sealedSecret), compact, deps.now());
  return step !== undefined && (await spendStep(tx, userId, step)) === 1 ? 'totp' : undefined;
}
