import { IDLE_LOGOUT_MS, IDLE_WARNING_MS, LastActivity } from './idle';
import { watchIdle } from './idle-watch';
import type { Session } from './session';

/** The dashboard is mounted in a browser whose stored time is `inactive` milliseconds old. */
function mounted(inactive = 0) {
  let stored = String(Date.now() - inactive);
  const lastActivity = new LastActivity(() => ({ getItem: () => stored, setItem: (_, value) => (stored = value) }));
  const logOut = jest.fn(() => Promise.resolve());
  const onWarning = jest.fn();
  const window = new EventTarget();
  const session = { lastActivity, logOut } as unknown as Session;
  const watch = watchIdle(session, { window, document: new EventTarget() }, onWarning);
  const send = (name: string) => window.dispatchEvent(new Event(name));
  return { lastActivity, logOut, onWarning, send, watch };
}

describe('watchIdle', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('logs out without renewing the stored time when that time is too old at mounting', () => {
    const { lastActivity, logOut } = mounted(IDLE_LOGOUT_MS);

    expect(logOut.mock.calls).toEqual([['idle']]);
    expect(lastActivity.state()).toBe('idle');
  });

  it('starts a new time when the stored one is recent', () => {
    const { lastActivity, logOut } = mounted(IDLE_WARNING_MS - 1);

    jest.setSystemTime(Date.now() + IDLE_WARNING_MS - 1);

    expect(lastActivity.state()).toBe('active');
    jest.setSystemTime(Date.now() + 1);
    expect(lastActivity.state()).toBe('warning');
    expect(logOut).not.toHaveBeenCalled();
  });

  it('logs out once when activity follows a sleep of the computer before the next check', () => {
    const { lastActivity, logOut, send } = mounted();
    // The clock moves without running timers.
    jest.setSystemTime(Date.now() + 10 * IDLE_LOGOUT_MS);

    send('pointerdown');
    send('touchstart');

    expect(logOut.mock.calls).toEqual([['idle']]);
    expect(lastActivity.state()).toBe('idle');
  });

  it('logs out when the user asks to stay after the time is over', () => {
    const { logOut, watch } = mounted();
    jest.advanceTimersByTime(IDLE_WARNING_MS);
    jest.setSystemTime(Date.now() + IDLE_LOGOUT_MS);

    watch.stay();

    expect(logOut.mock.calls).toEqual([['idle']]);
  });

  it('warns until the user asks to stay', () => {
    const { lastActivity, onWarning, logOut, send, watch } = mounted();

    jest.advanceTimersByTime(IDLE_WARNING_MS);
    send('keydown');
    expect(onWarning).toHaveBeenLastCalledWith(true);
    expect(lastActivity.state()).toBe('warning');

    watch.stay();
    expect(onWarning).toHaveBeenLastCalledWith(false);
    expect(lastActivity.state()).toBe('active');
    expect(logOut).not.toHaveBeenCalled();
  });
});
