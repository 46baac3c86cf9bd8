import { randomUUID } from 'node:crypto';
import { OPERATIONS, type Operation } from '@pay/contracts';
import type { PublicApi } from './merchant-client';

/**
 * Public operations of services with a directory copy that accept this kind of credential. dashboard-api owns
 * credentials and has no copy.
 */
export function operationsBehind(kind: 'apiKey' | 'deviceKey'): readonly Operation[] {
  return OPERATIONS.filter(({ credential, service }) => credential.kind === kind && service !== 'dashboard-api');
}

/**
 * The request names no existing object, so it changes nothing. Only 401 means that the credential was refused; a 403 or
 * a server error throws.
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
