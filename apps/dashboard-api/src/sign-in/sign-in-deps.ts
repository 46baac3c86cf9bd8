import type { SecretBox, SecretList } from '@pay/runtime';
import type { LoginLimits } from './login-limits';
import type { isPassword } from './passwords';
import type { MailQueue } from '../mails/mail-queue';
import type { ChangeDeps } from '../changes/store-change';
import type { ServiceDeps } from '../service-deps';

/** The actor of a change is the person who signs in. */
export interface SignInDeps extends Omit<ChangeDeps, 'actor'>, Pick<ServiceDeps, 'db' | 'log'> {
  /** Newest first. The first one signs access tokens and derives refresh tokens; all are accepted. */
  readonly secrets: SecretList;
  readonly limits: LoginLimits;
  readonly mails: MailQueue;
  /** Encrypts the secrets of authenticator apps. */
  readonly secretBox: SecretBox;
  readonly isPassword: typeof isPassword;
}
