import { type RotateSecretRequest, type Tenant, BusinessError } from '@pay/contracts';
import type { Database, Transaction } from '@pay/persistence';
import type { SecretBox } from '@pay/runtime';
import { lockEndpoint, writeSecrets } from './endpoint-change-repository';
import { findEndpoint, type Endpoint } from './endpoint-repository';

export interface RotateDeps {
  readonly db: Database;
  readonly secrets: Pick<SecretBox, 'seal'>;
  readonly endpointChanged: (id: string) => void;
}

/**
 * Both secrets sign until the overlap ends. A repeated rotation replaces the new secret, because receivers certainly
 * know the old one.
 */
export function rotateSecret(
  { secrets, ...deps }: RotateDeps,
  tenant: Tenant,
  id: string,
  { secret, overlapSeconds }: RotateSecretRequest,
): Promise<Endpoint> {
  const sealed = secrets.seal(id, secret);
  return onEndpoint(deps, tenant, id, async (tx, { sealedSecret }) => {
    const secrets = overlapSeconds === 0 ? { sealed, next: null } : { sealed: sealedSecret, next: sealed };
    await writeSecrets(tx, id, { ...secrets, overlapSeconds });
  });
}

/** Afterwards only the new secret signs. */
export function finishRotation(deps: Omit<RotateDeps, 'secrets'>, tenant: Tenant, id: string): Promise<Endpoint> {
  return onEndpoint(deps, tenant, id, async (tx, { sealedSecret, nextSealedSecret }) => {
    await writeSecrets(tx, id, { sealed: nextSealedSecret ?? sealedSecret, next: null, overlapSeconds: 0 });
  });
}

async function onEndpoint(
  { db, endpointChanged }: Omit<RotateDeps, 'secrets'>,
  tenant: Tenant,
  id: string,
  change: (tx: Transaction, endpoint: Endpoint) => Promise<void>,
): Promise<Endpoint> {
  const changed = await db.transaction(async (tx) => {
    const endpoint = await lockEndpoint(tx, tenant, id);
    if (endpoint === undefined) return undefined;
    await change(tx, endpoint);
    return findEndpoint(tx, tenant, id);
  });
  if (changed === undefined) throw new BusinessError('NOT_FOUND');
  endpointChanged(id);
  return changed;
}
