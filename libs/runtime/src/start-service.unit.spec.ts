import { assertStopInTime } from './start-service';

describe('assertStopInTime', () => {
  it.each([
    { IDLE_CONNECTION_GRACE_MS: 500, SHUTDOWN_SECONDS: 1 },
    { IDLE_CONNECTION_GRACE_MS: 6_000, SHUTDOWN_SECONDS: 25 },
    { IDLE_CONNECTION_GRACE_MS: 20_000, SHUTDOWN_SECONDS: 25 },
  ])('accepts %j', (settings) => {
    expect(() => assertStopInTime(settings)).not.toThrow();
  });

  it('refuses a grace period for idle connections that leaves less than five seconds for the rest of a stop', () => {
    expect(() => assertStopInTime({ IDLE_CONNECTION_GRACE_MS: 20_001, SHUTDOWN_SECONDS: 25 })).toThrow(
      'IDLE_CONNECTION_GRACE_MS: must be at least 5 seconds shorter than SHUTDOWN_SECONDS (25)',
    );
  });
});
