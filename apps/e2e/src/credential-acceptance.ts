import { randomUUID } from 'node:crypto';
import { OPERATIONS, type Operation } from '@pay/contracts';
import type { PublicApi } from './merchant-client';

/**
 * Every public operation that this kind of credential opens in a service with a copy of credentials; dashboard-api owns
 * them.
 */
export function operationsBehind(kind: 'apiKey' | 'deviceKey'): readonly Operation[] {
  return OPERATIONS.filter(({ credential, service }) => credential.kind === kind && service !== 'dashboard-api');
}

/**
 * Whether a credential is accepted by an operation. The request refers to no existing object, so it changes nothing;
 * any response behind the credential counts, except a server error.
 */
export async function isAccepted(
  api: PublicApi,
  { id, method, path, credential, body }: Operation,
  key: string,
): Promise<boolean> {
  const header = credential.kind === 'deviceKey' ? 'x-device-key' : 'x-api-key';
  const address = path.replace(/:\w+/g, () => randomUUID());
  const { status } = await api.call(method.toUpperCase(), address, { [header]: key }, body && {});
  if (status >= 500 || status === 403) throw new Error(`${id} returned ${status}`);
  return status !== 401;
}
