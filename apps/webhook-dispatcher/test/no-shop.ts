const away = () => Promise.reject(new Error('no request to a shop is expected'));

/** Dependencies of internal routes for tests in which no request to a shop is sent and retention deletes nothing. */
export const NO_SHOP = {
  client: { get: away, post: away },
  secrets: { open: () => '' },
  newId: () => '',
  newSecret: () => '',
  shopRequests: { take: () => ({ allowed: true, retryAfterMs: 0, remaining: 1, resetMs: 0 }) },
  now: () => new Date(),
  keptSince: () => new Date(0),
  deliveriesKeptSince: () => new Date(0),
};
