import type { IdleState } from './idle';
import type { Session } from './session';

const CHECK_MS = 5_000;
const ACTIVITY = ['pointerdown', 'keydown', 'wheel', 'touchstart'] as const;

type Events = Pick<EventTarget, 'addEventListener' | 'removeEventListener'>;

export interface IdleWatch {
  readonly stay: () => void;
  readonly stop: () => void;
}

/** Logs the user out after a time without activity. */
export function watchIdle(
  session: Session,
  { window, document }: { readonly window: Events; readonly document: Events },
  onWarning: (isWarning: boolean) => void,
): IdleWatch {
  let isWarning = false;
  const apply = (state: IdleState) => {
    isWarning = state === 'warning';
    onWarning(isWarning);
    if (state !== 'idle') return;
    // One touch causes several events, and a second log-out could end the session of the next person.
    stop();
    void session.logOut('idle');
  };
  const check = () => apply(session.lastActivity.state());
  const stay = () => apply(session.lastActivity.renew());
  const onActivity = () => (isWarning ? check() : stay());

  const timer = setInterval(check, CHECK_MS);
  for (const name of ACTIVITY) window.addEventListener(name, onActivity, { passive: true });
  document.addEventListener('visibilitychange', check);
  const stop = () => {
    clearInterval(timer);
    for (const name of ACTIVITY) window.removeEventListener(name, onActivity);
    document.removeEventListener('visibilitychange', check);
  };
  stay();
  return { stay, stop };
}
