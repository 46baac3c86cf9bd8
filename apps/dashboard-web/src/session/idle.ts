export const IDLE_LOGOUT_MS = 30 * 60_000;
export const IDLE_WARNING_MS = IDLE_LOGOUT_MS - 60_000;

const STORED = 'dashboard.last-active';

export type IdleState = 'active' | 'warning' | 'idle';

export function idleState(lastActiveAt: number, now: number): IdleState {
  const inactive = now - lastActiveAt;
  if (inactive < IDLE_WARNING_MS) return 'active';
  return inactive < IDLE_LOGOUT_MS ? 'warning' : 'idle';
}

/** Activity in one tab keeps the other tabs of the session logged in. The stored time outlives closed tabs. */
export class LastActivity {
  constructor(private readonly storage: () => Pick<Storage, 'getItem' | 'setItem'>) {}

  /** A time that is missing or unreadable counts as too old: a log-in always stores one. */
  state(): IdleState {
    return idleState(Number(this.storage().getItem(STORED)), Date.now());
  }

  /** Does not renew a time that is too old, because the activity may be that of another person. */
  renew(): 'active' | 'idle' {
    if (this.state() === 'idle') return 'idle';
    this.restart();
    return 'active';
  }

  /** Only after an explicit log-in. */
  restart(): void {
    this.storage().setItem(STORED, String(Date.now()));
  }

  /** All tabs of this browser count as idle until the next explicit log-in. */
  expire(): void {
    this.storage().setItem(STORED, '0');
  }
}
