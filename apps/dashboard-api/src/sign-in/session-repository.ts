import type { Role } from '@pay/contracts';
import {
  command,
  firstRow,
  inTransaction,
  oldRowsInOrder,
  rows,
  type OldRows,
  type Transaction,
} from '@pay/persistence';
import type { SessionEnd, SessionState } from '../domain/session';

/** Role, names and access are the current ones, not those of the log-in. */
export interface SessionRow extends SessionState {
  readonly id: string;
  readonly createdAt: Date;
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly merchantId: string;
  readonly merchantName: string;
  readonly twoFactorEnabled: boolean;
  readonly recoveryCodesLeft: number;
}

/** Shown to people so that they recognise a session. Null for sessions of earlier versions. */
export interface SessionOrigin {
  readonly address: string | null;
  readonly userAgent: string | null;
}

export interface OpenSessionRow
  extends SessionOrigin, Pick<SessionRow, 'id' | 'createdAt' | 'expiresAt' | 'merchantId' | 'merchantName'> {
  readonly lastUsedAt: Date;
}

const SELECT = `select s.id, s.created_at as "createdAt", s.expires_at as "expiresAt", s.ended_at as "endedAt",
    u.id as "userId", u.email, u.name, p.role, m.id as "merchantId", m.name as "merchantName",
    (p.is_active and u.deleted_at is null and m.is_active and m.deleted_at is null) as "mayEnter",
    exists (select from second_factors f where f.user_id = u.id and f.confirmed_at is not null) as "twoFactorEnabled",
    (select count(*)::int from recovery_codes c where c.user_id = u.id and c.used_at is null) as "recoveryCodesLeft"
  from sessions s join users u on u.id = s.user_id
    join memberships p on p.user_id = u.id and p.merchant_id = coalesce(s.merchant_id, u.merchant_id)
    join merchants m on m.id = p.merchant_id`;
export const findSession = firstRow<SessionRow, [id: string]>('session-find', `${SELECT} where s.id = $1`);
export const lockSession = inTransaction.firstRow<SessionRow, [id: string]>(
  'session-lock',
  `${SELECT} where s.id = $1 for update of s`,
);

/** Default merchant: the first one of the person. */
export const insertSession = inTransaction.command(
  'session-insert',
  `insert into sessions (id, user_id, created_at, expires_at, merchant_id, address, user_agent)
    values ($1, $2, $3, $4, $5, $6, $7)`,
  (
    session: Pick<SessionRow, 'id' | 'userId' | 'createdAt' | 'expiresAt'> &
      SessionOrigin & { readonly merchantId?: string | undefined },
  ) => [
    ...[session.id, session.userId, session.createdAt, session.expiresAt, session.merchantId ?? null],
    ...[session.address, session.userAgent],
  ],
);

/** Newest first. */
export const listOpenSessions = rows<OpenSessionRow, [userId: string, now: Date]>(
  'session-list-open',
  `select s.id, s.created_at as "createdAt", s.expires_at as "expiresAt", s.address, s.user_agent as "userAgent",
      m.id as "merchantId", m.name as "merchantName",
      coalesce((select max(t.issued_at) from refresh_tokens t where t.session_id = s.id), s.created_at) as "lastUsedAt"
    from sessions s join users u on u.id = s.user_id join merchants m on m.id = coalesce(s.merchant_id, u.merchant_id)
    where s.user_id = $1 and s.ended_at is null and s.expires_at > $2
    order by s.created_at desc, s.id desc limit 100`,
);

/** The session must be locked. */
export const switchSession = inTransaction.command<[id: string, merchantId: string]>(
  'session-switch',
  'update sessions set merchant_id = $2 where id = $1',
);

const endOpenSession = command<[id: string, at: Date, because: SessionEnd]>(
  'session-end',
  'update sessions set ended_at = $2, ended_because = $3 where id = $1 and ended_at is null',
);

/** False if the session had already ended. */
export async function endSession(tx: Transaction, id: string, at: Date, because: SessionEnd): Promise<boolean> {
  return (await endOpenSession(tx, id, at, because)) === 1;
}

export interface OtherSessions {
  readonly userId: string;
  /** Stays open; all sessions end when absent. */
  readonly keep?: string;
  readonly at: Date;
  readonly because: SessionEnd;
  /** Default: all merchants of the person. */
  readonly merchantId?: string;
}

const NO_SESSION = '00000000-0000-0000-0000-000000000000';

/** Returns the number of ended sessions. */
export const endOtherSessions = inTransaction.command(
  'session-end-others',
  `update sessions set ended_at = $3, ended_because = $4
    where user_id = $1 and ended_at is null and expires_at > $3 and id <> $2
      and ($5::uuid is null or coalesce(merchant_id, (select merchant_id from users where id = $1)) = $5)`,
  ({ userId, keep = NO_SESSION, at, because, merchantId }: OtherSessions) => [
    userId,
    keep,
    at,
    because,
    merchantId ?? null,
  ],
);

export interface TokenRow {
  readonly sessionId: string;
  readonly usedAt: Date | null;
}

export const findRefreshToken = firstRow<TokenRow, [tokenHash: string]>(
  'refresh-token-find',
  'select session_id as "sessionId", used_at as "usedAt" from refresh_tokens where token_hash = $1',
);
export const insertRefreshToken = inTransaction.command<[tokenHash: string, sessionId: string, at: Date]>(
  'refresh-token-insert',
  'insert into refresh_tokens (token_hash, session_id, issued_at) values ($1, $2, $3)',
);

const useToken = command<[tokenHash: string, at: Date]>(
  'refresh-token-use',
  'update refresh_tokens set used_at = $2 where token_hash = $1 and used_at is null',
);

export async function useRefreshToken(tx: Transaction, tokenHash: string, at: Date): Promise<void> {
  if ((await useToken(tx, tokenHash, at)) !== 1) throw new Error('a refresh token was used a second time');
}

/** The tokens of a session are deleted with it. */
export function expiredSessions(now: Date): OldRows {
  return oldRowsInOrder({ table: 'sessions', order: 'expires_at', orderType: 'timestamptz', before: now });
}
