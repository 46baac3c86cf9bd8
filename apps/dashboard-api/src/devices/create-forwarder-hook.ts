import { SECRET_USE, SIGNS_TEXT, type Forwarder } from '@pay/contracts';
import { newHookId } from '@pay/directory';
import { hashKey } from '@pay/http';
import type { Transaction } from '@pay/persistence';
import type { SecretBox } from '@pay/runtime';
import { newSigningSecret } from './signing-secret';
import { MOST_HOOKS, pathOfHook, type HookRecord } from '../domain/forwarder-hook';
import { changed } from '../domain/records';
import { lockRecord } from '../changes/lock-record';
import { Refusal } from '../changes/refusal';
import { storeChange, type ChangeDeps } from '../changes/store-change';

export interface CreateForwarderHookDeps extends ChangeDeps {
  /** Only sms-ingest decrypts these secrets. */
  readonly hookSecrets: Pick<SecretBox, 'seal'>;
}

export interface CreateForwarderHookInput {
  readonly deviceId: string;
  readonly adapter: Forwarder;
  /** The secret that the merchant has entered in the app; generated if the app signs and none is given. */
  readonly signingSecret?: string | undefined;
}

export interface CreatedForwarderHook {
  readonly hook: HookRecord;
  readonly path: string;
  readonly signingSecret: string | null;
}

/** Address and secret are returned only once. They are stored as a hash and as encrypted text. */
export async function createForwarderHook(
  deps: CreateForwarderHookDeps,
  tx: Transaction,
  { deviceId, adapter, signingSecret }: CreateForwarderHookInput,
): Promise<CreatedForwarderHook> {
  const before = await lockRecord(tx, 'device', deviceId);
  if (before.hooks.length >= MOST_HOOKS) {
    throw new Refusal(
      'adapter',
      `this device has ${MOST_HOOKS} hooks, which is the most; delete one first`,
      'TOO_MANY_HOOKS',
    );
  }
  if (before.environment === 'LIVE' && !SIGNS_TEXT[adapter] && !before.allowsUnsignedTexts) {
    throw new Refusal('adapter', 'this app does not sign the text of an SMS', 'UNSIGNED_TEXTS_NOT_ALLOWED');
  }
  const now = deps.now();
  const [id, hookId] = [deps.newId(), newHookId(deviceId)];
  const secret = signingSecret ?? (SECRET_USE[adapter] === 'signs' ? newSigningSecret() : null);
  const hook: HookRecord = {
    id,
    adapter,
    hookHash: hashKey(hookId),
    sealedSecret: secret === null ? null : deps.hookSecrets.seal(id, secret),
    createdAt: now.toISOString(),
  };
  const after = changed(before, { hooks: [...before.hooks, hook] }, now);
  await storeChange(deps, tx, { kind: 'device', action: 'device.hook_created', before, after });
  return { hook, path: pathOfHook(adapter, hookId), signingSecret: secret };
}
