import { IDLE_LOGOUT_MS, IDLE_WARNING_MS, idleState, LastActivity } from './idle';

it.each([
  [0, 'active'],
  [IDLE_WARNING_MS - 1, 'active'],
  [IDLE_WARNING_MS, 'warning'],
  [IDLE_LOGOUT_MS - 1, 'warning'],
  [IDLE_LOGOUT_MS, 'idle'],
  // The computer was asleep.
  [10 * IDLE_LOGOUT_MS, 'idle'],
])('after %d ms without activity the user is %s', (inactive, state) => {
  expect(idleState(1_000, 1_000 + inactive)).toBe(state);
});

it.each([null, '', 'yesterday'])('a user whose last activity is stored as %j is idle', (stored) => {
  const lastActivity = new LastActivity(() => ({ getItem: () => stored, setItem: () => undefined }));

  expect(lastActivity.state()).toBe('idle');
});
