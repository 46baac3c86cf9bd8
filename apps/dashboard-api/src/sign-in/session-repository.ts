import type { Role } from '@pay/contracts';
import { oldRowsInOrder, statement, type OldRows, type Queryable, type Transaction } from '@pay/persistence';
import type { SessionEnd, SessionState } from '../domain/session';

/** A session with the person and the merchant behind it, as they are now. */
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

/** By which a person recognises a session; null for sessions of earlier versions. */
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
const FIND = statement('session-find', `${SELECT} where s.id = $1`);
const LOCK = statement('session-lock', `${SELECT} where s.id = $1 for update of s`);
const INSERT = statement(
  'session-insert',
  `insert into sessions (id, user_id, created_at, expires_at, merchant_id, address, user_agent)
    values ($1, $2, $3, $4, $5, $6, $7)`,
);
const LIST_OPEN = statement(
  'session-list-open',
  `select s.id, s.created_at as "createdAt", s.expires_at as "expiresAt", s.address, s.user_agent as "userAgent",
      m.id as "merchantId", m.name as "merchantName",
      coalesce((select max(t.issued_at) from refresh_tokens t where t.session_id = s.id), s.created_at) as "lastUsedAt"
    from sessions s join users u on u.id = s.user_id join merchants m on m.id = coalesce(s.merchant_id, u.merchant_id)
    where s.user_id = $1 and s.ended_at is null and s.expires_at > $2
    order by s.created_at desc, s.id desc limit 100`,
);
const END = statement(
  'session-end',
  'update sessions set ended_at = $2, ended_because = $3 where id = $1 and ended_at is null',
);
const END_OTHERS = statement(
  'session-end-others',
  `update sessions set ended_at = $3, ended_because = $4
    where user_id = $1 and ended_at is null and expires_at > $3 and id <> $2`,
);
const END_OTHERS_OF_MERCHANT = statement(
  'session-end-others-of-merchant',
  `update sessions set ended_at = $3, ended_because = $4
    where user_id = $1 and ended_at is null and expires_at > $3 and id <> $2
      and coalesce(merchant_id, (select merchant_id from users where id = $1)) = $5`,
);
const SWITCH = statement('session-switch', 'update sessions set merchant_id = $2 where id = $1');
const FIND_TOKEN = statement(
  'refresh-token-find',
  'select session_id as "sessionId", used_at as "usedAt" from refresh_tokens where token_hash = $1',
);
const INSERT_TOKEN = statement(
  'refresh-token-insert',
  'insert into refresh_tokens (token_hash, session_id, issued_at) values ($1, $2, $3)',
);
const USE_TOKEN = statement(
  'refresh-token-use',
  'update refresh_tokens set used_at = $2 where token_hash = $1 and used_at is null',
);

export async function findSession(db: Queryable, id: string): Promise<SessionRow | undefined> {
  return (await db.query<SessionRow>(FIND, [id]))[0];
}

export async function lockSession(tx: Transaction, id: string): Promise<SessionRow | undefined> {
  return (await tx.query<SessionRow>(LOCK, [id]))[0];
}

export async function insertSession(
  tx: Transaction,
  session: Pick<SessionRow, 'id' | 'userId' | 'createdAt' | 'expiresAt'> & {
    /** The first merchant of the person when absent. */
    readonly merchantId?: string | undefined;
  } & SessionOrigin,
): Promise<void> {
  const { id, userId, createdAt, expiresAt, merchantId = null, address, userAgent } = session;
  await tx.execute(INSERT, [id, userId, createdAt, expiresAt, merchantId, address, userAgent]);
}

/** The open sessions of a person, newest first. */
export function listOpenSessions(db: Queryable, userId: string, now: Date): Promise<readonly OpenSessionRow[]> {
  return db.query<OpenSessionRow>(LIST_OPEN, [userId, now]);
}

/** The session must be locked. */
export async function switchSession(tx: Transaction, id: string, merchantId: string): Promise<void> {
  await tx.execute(SWITCH, [id, merchantId]);
}

/** False for a session that has ended before. */
export async function endSession(tx: Transaction, id: string, at: Date, because: SessionEnd): Promise<boolean> {
  return (await tx.execute(END, [id, at, because])) === 1;
}

export interface OtherSessions {
  readonly userId: string;
  readonly keep: string;
  readonly at: Date;
  readonly because: SessionEnd;
  /** Only those at this merchant; at all merchants of the person when absent. */
  readonly merchantId?: string;
}

/** How many there were. */
export function endOtherSessions(
  tx: Transaction,
  { userId, keep, at, because, merchantId }: OtherSessions,
): Promise<number> {
  return merchantId === undefined
    ? tx.execute(END_OTHERS, [userId, keep, at, because])
    : tx.execute(END_OTHERS_OF_MERCHANT, [userId, keep, at, because, merchantId]);
}

export interface TokenRow {
  readonly sessionId: string;
  readonly usedAt: Date | null;
}

export async function findRefreshToken(db: Queryable, tokenHash: string): Promise<TokenRow | undefined> {
  return (await db.query<TokenRow>(FIND_TOKEN, [tokenHash]))[0];
}

export async function insertRefreshToken(
  tx: Transaction,
  tokenHash: string,
  sessionId: string,
  at: Date,
): Promise<void> {
  await tx.execute(INSERT_TOKEN, [tokenHash, sessionId, at]);
}

export async function useRefreshToken(tx: Transaction, tokenHash: string, at: Date): Promise<void> {
  if ((await tx.execute(USE_TOKEN, [tokenHash, at])) !== 1) throw new Error('a refresh token was used a second time');
}

/** Their tokens are deleted with them. */
export function expiredSessions(now: Date): OldRows {
  return oldRowsInOrder({ table: 'sessions', order: 'expires_at', orderType: 'timestamptz', before: now });
}
