export const IDLE_LOGOUT_MS = 30 * 60_000;
export const IDLE_WARNING_MS = IDLE_LOGOUT_MS - 60_000;

export type IdleState = 'active' | 'warning' | 'idle';

export function idleState(lastActiveAt: number, now: number): IdleState {
  const inactive = now - lastActiveAt;
  if (inactive >= IDLE_LOGOUT_MS) return 'idle';
  return inactive >= IDLE_WARNING_MS ? 'warning' : 'active';
}
