import { formatCountdown } from '../numbers';
import { find, main, say, texts } from './page-parts';

const LAST_MINUTE_MS = 60_000;

/** Uses `performance.now()`, because the clock of the phone may be wrong. */
let endsAt = performance.now() + left(main.dataset['expires'], main.dataset['server']);
let hasSaid = timeLeft() <= LAST_MINUTE_MS;

/** The clock of the phone is not used. */
export function setClock(expiresAt: string, serverTime: string): void {
  endsAt = performance.now() + left(expiresAt, serverTime);
}

export function timeLeft(): number {
  return endsAt - performance.now();
}

/** Updates every second, and calls `onEnd` once at zero. */
export function runClock(onEnd: () => void): void {
  let hasEnded = false;
  const show = () => {
    const ms = timeLeft();
    const clock = find('#clock');
    if (clock) clock.textContent = formatCountdown(texts.language, ms);
    clock?.parentElement?.classList.toggle('soon', ms <= LAST_MINUTE_MS);
    if (ms <= LAST_MINUTE_MS && ms > 0 && !hasSaid) {
      hasSaid = true;
      say(texts.lastMinute);
    }
    if (ms <= 0 && !hasEnded) {
      hasEnded = true;
      onEnd();
    } else if (ms > 0) hasEnded = false;
  };
  show();
  setInterval(show, 1_000);
}

function left(expiresAt = '', serverTime = ''): number {
  return Date.parse(expiresAt) - Date.parse(serverTime);
}
