import type { SessionOfList } from '@pay/contracts';
import type { Session } from '@pay/http';
import type { OwnSessionDeps } from './get-own-session';
import { listOpenSessions } from './session-repository';

/** Contains address and browser, so that people can recognise a foreign session. */
export async function listOwnSessions(
  { db, now }: OwnSessionDeps,
  { sessionId, userId }: Session,
): Promise<{ data: SessionOfList[] }> {
  const rows = await listOpenSessions(db, userId, now());
  return {
    data: rows.map(({ id, createdAt, expiresAt, lastUsedAt, address, userAgent, merchantId, merchantName }) => ({
      id,
      address,
      userAgent,
      merchant: { id: merchantId, name: merchantName },
      isCurrent: id === sessionId,
      createdAt: createdAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
      lastUsedAt: lastUsedAt.toISOString(),
    })),
  };
}
