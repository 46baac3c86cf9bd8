import { ApiError, hashKey } from '@pay/http';
import type { Queryable } from '@pay/persistence';
import { RateLimiterPostgres, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import { deleteLoginAttempts, LOGIN_ATTEMPTS, storeClientOf } from './login-attempt-repository';

export interface LoginLimitSettings {
  /**
   * Attempts per account and address within `accountSeconds`; a success deletes the earlier ones. The same limit
   * applies to confirmations within a session and to codes of a user.
   */
  readonly perAccount: number;
  readonly accountSeconds: number;
  /** Attempts per client address and minute, including successful ones. */
  readonly perAddress: number;
  /** Failed attempts per account within `unknownSeconds`, over all browsers that the account does not know. */
  readonly perAccountUnknown: number;
  readonly unknownSeconds: number;
}

export interface LoginAttempt {
  readonly email: string;
  readonly address: string;
  /** Hash of the token of a known browser. */
  readonly knownBrowser: string | undefined;
}

export interface CountedAttempt {
  /** If this attempt fails, the next one is refused. */
  readonly isLast: boolean;
  /** Deletes the failed attempts before a success. */
  forgive(): Promise<void>;
}

/**
 * Each count throws 429 with its headers beyond the limit, also for accounts that do not exist. Replicas share the
 * counts; without the database no attempt is accepted.
 */
export interface LoginLimits {
  countAddress(address: string): Promise<void>;
  /**
   * A known browser has its own counter, so that attempts of others cannot lock out the owner of the account. Other
   * browsers are counted per address, per account and address, and in total per account.
   */
  countLogin(attempt: LoginAttempt): Promise<CountedAttempt>;
  /** Confirmations and log-ins have separate limits, so that neither uses up the other. */
  countConfirmation(sessionId: string): Promise<void>;
  forgiveConfirmations(sessionId: string): Promise<void>;
  /** Codes have a separate limit: a correct password must not forgive wrong codes. */
  countCode(userId: string): Promise<void>;
  forgiveCodes(userId: string): Promise<void>;
}

export function createLoginLimits(db: Queryable, settings: LoginLimitSettings): LoginLimits {
  const { perAccount, accountSeconds, perAddress, perAccountUnknown, unknownSeconds } = settings;
  const accounts = limiter(db, 'account_address', perAccount, accountSeconds);
  const browsers = limiter(db, 'account_browser', perAccount, accountSeconds);
  const unknown = limiter(db, 'account_unknown', perAccountUnknown, unknownSeconds);
  const confirmations = limiter(db, 'confirmation', perAccount, accountSeconds);
  const codes = limiter(db, 'code', perAccount, accountSeconds);
  const addresses = limiter(db, 'address', perAddress, 60);
  return {
    async countAddress(address) {
      await count(addresses, address);
    },
    async countLogin({ email, address, knownBrowser }) {
      const account = accountKey(email);
      if (knownBrowser !== undefined) {
        const key = `${account}:${knownBrowser}`;
        const left = await count(browsers, key);
        const forgive = async () => {
          await browsers.delete(key);
        };
        return { isLast: left === 0, forgive };
      }
      await count(addresses, address);
      const key = `${account}:${address}`;
      // The order matters: an address beyond its limit must not use up the limit of all addresses.
      const left = Math.min(await count(accounts, key), await count(unknown, account));
      return {
        isLast: left === 0,
        async forgive() {
          await accounts.delete(key);
          await unknown.reward(account);
        },
      };
    },
    async countConfirmation(sessionId) {
      await count(confirmations, sessionId);
    },
    async forgiveConfirmations(sessionId) {
      await confirmations.delete(sessionId);
    },
    async countCode(userId) {
      await count(codes, userId);
    },
    async forgiveCodes(userId) {
      await codes.delete(userId);
    },
  };
}

export interface LimitedPerson {
  readonly email: string;
  readonly userId: string;
  readonly sessionIds: readonly string[];
}

/** For the command line. False if no attempts were counted. */
export async function forgiveAttempts(db: Queryable, { email, userId, sessionIds }: LimitedPerson): Promise<boolean> {
  const account = accountKey(email);
  // An underscore is a wildcard in a LIKE pattern.
  const patterns = ['account_address', 'account_browser', 'account_unknown'].map(
    (prefix) => `${prefix.replace('_', '\\_')}:${account}%`,
  );
  const confirmations = sessionIds.map((id) => `confirmation:${id}`);
  return (await deleteLoginAttempts(db, [...patterns, `code:${userId}`, ...confirmations])) > 0;
}

function limiter(db: Queryable, keyPrefix: string, points: number, duration: number): RateLimiterAbstract {
  return new RateLimiterPostgres({
    storeClient: storeClientOf(db),
    storeType: 'client',
    tableName: LOGIN_ATTEMPTS,
    tableCreated: true,
    clearExpiredByTimeout: false,
    keyPrefix,
    points,
    duration,
  });
}

/** Returns the remaining attempts. */
async function count(limiter: RateLimiterAbstract, key: string): Promise<number> {
  try {
    return (await limiter.consume(key)).remainingPoints;
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

/** Hashed, because people enter passwords into the wrong field. */
function accountKey(email: string): string {
  return hashKey(email.trim().toLowerCase());
}
