export { openRateLimits, type ProcessLimiter, type RateLimits, type RateLimitsDeps } from './rate-limits';
export { rateLimitMigrations } from './migrations';
export type { Limit } from './limit';
export type { Limiter, LimitResult } from './limiter';
export { clientAddress } from './client-address';
export {
  forgive,
  limitApiKeys,
  limitDevices,
  limitFailures,
  limitHooks,
  limitInvented,
  limitRequests,
  limitSessions,
  type Allowance,
  type InventedNames,
  type FormatRefusal,
} from './limit-requests';
export { limitGuessing, limitUnknownCredentials, type Guessed, type GuessingGuard } from './limit-guessing';
export {
  limitMerchantApi,
  merchantApiLimitSettings,
  type MerchantApiLimits,
  type MerchantApiLimitValues,
} from './merchant-api';
export { knownNames, type KnownNames } from './known-names';
