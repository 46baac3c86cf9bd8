import { ApiError, hashKey } from '@pay/http';
import { statement, type Queryable } from '@pay/persistence';
import {
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
  type RateLimiterAbstract,
} from 'rate-limiter-flexible';

export interface LoginLimitSettings {
  /** Attempts per account in `accountSeconds`; a success forgets those before it. */
  readonly perAccount: number;
  readonly accountSeconds: number;
  /** Attempts per client address and minute, whatever comes of them. */
  readonly perAddress: number;
}

/** Each count throws a 429 with its headers once the limit is passed. Replicas share them; without the database each counts alone. */
export interface LoginLimits {
  countAddress(address: string): Promise<void>;
  /** The same for an address that has no account: who is locked out does not learn that there is somebody. */
  countAccount(email: string): Promise<void>;
  forgiveAccount(email: string): Promise<void>;
}

const TABLE = 'login_attempts';
const FORGIVE = statement('login-forgive', `delete from ${TABLE} where key = $1`);
const DELETE_EXPIRED = statement(
  'login-attempts-delete-expired',
  `delete from ${TABLE} where key in (select key from ${TABLE} where expire < $1 order by expire limit $2)`,
);

export function createLoginLimits(db: Queryable, settings: LoginLimitSettings): LoginLimits {
  const accounts = limiter(db, 'account', settings.perAccount, settings.accountSeconds);
  const addresses = limiter(db, 'address', settings.perAddress, 60);
  return {
    countAddress: (address) => count(addresses, address),
    countAccount: (email) => count(accounts, accountKey(email)),
    async forgiveAccount(email) {
      await accounts.delete(accountKey(email));
    },
  };
}

/** Lets somebody in again who has been locked out; for the command line. False where nothing had been counted. */
export async function forgiveAttempts(db: Queryable, email: string): Promise<boolean> {
  return (await db.execute(FORGIVE, [`account:${accountKey(email)}`])) > 0;
}

/** How many there were. */
export function deleteExpiredAttempts(db: Queryable, before: Date, limit: number): Promise<number> {
  return db.execute(DELETE_EXPIRED, [before.getTime(), limit]);
}

function limiter(db: Queryable, keyPrefix: string, points: number, duration: number): RateLimiterAbstract {
  return new RateLimiterPostgres({
    storeClient: clientOf(db),
    storeType: 'client',
    tableName: TABLE,
    tableCreated: true,
    clearExpiredByTimeout: false,
    insuranceLimiter: new RateLimiterMemory({ keyPrefix, points, duration }),
    ...{ keyPrefix, points, duration },
  });
}

/** As much of the driver's client as the limiter uses. */
function clientOf(db: Queryable) {
  return {
    async query({ name, text, values }: { name: string; text: string; values: unknown[] }) {
      const rows = await db.query(statement(name, text), values);
      return { rows, rowCount: rows.length };
    },
  };
}

async function count(limiter: RateLimiterAbstract, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused;
    const seconds = String(Math.max(1, Math.ceil(refused.msBeforeNext / 1_000)));
    throw new ApiError('RATE_LIMITED', undefined, {
      'Retry-After': seconds,
      'RateLimit-Limit': String(limiter.points),
      'RateLimit-Remaining': '0',
      'RateLimit-Reset': seconds,
    });
  }
}

/** Hashed: what people typed into the wrong field is nobody's business. */
function accountKey(email: string): string {
  return hashKey(email.trim().toLowerCase());
}
