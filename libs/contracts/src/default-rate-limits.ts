/**
 * Default values of the rate limits that the API description names. Requests per second with one API key and with all
 * keys of a merchant, at each service; requests per minute at the public checkout.
 */
export const DEFAULT_RATE_LIMITS = {
  apiKeyPerSecond: { LIVE: 100, SANDBOX: 25 },
  merchantPerSecond: { LIVE: 300, SANDBOX: 75 },
  checkoutViewsPerMinute: 60,
  checkoutAddressPerMinute: 3_000,
  checkoutConfirmsPerMinute: 10,
} as const;
