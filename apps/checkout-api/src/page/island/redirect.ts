import { inDigits } from '../numbers';
import { find, main, say, stage, texts } from './page-parts';

const SECONDS = 3;
let timer = 0;

/** The countdown can be stopped. Has no effect without a URL. */
export function startRedirect(url: string | null | undefined): void {
  clearInterval(timer);
  const box = find('[data-redirect]', stage);
  if (!box || !url || !/^https?:\/\//i.test(url)) return;
  const go = find<HTMLAnchorElement>('[data-go]', box);
  const count = find('[data-seconds]', box);
  // Replaces the history entry, so that the back button does not start the countdown again.
  const leave = () => {
    clearInterval(timer);
    tellReturn();
    location.replace(url);
  };
  if (go) go.href = url;
  go?.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) {
      tellReturn();
      return;
    }
    event.preventDefault();
    leave();
  });
  box.hidden = false;
  const details = find<HTMLDetailsElement>('details', stage);
  // The shop would ask a customer whose TrxID is stored for a new order.
  if (details?.open || find('[data-kept]', stage)) {
    stay(box);
    return;
  }
  details?.addEventListener('toggle', () => stay(box));
  say(texts.redirecting.replace('{n}', inDigits(texts.language, String(SECONDS))));
  let left = SECONDS;
  timer = window.setInterval(() => {
    left -= 1;
    if (count) count.textContent = inDigits(texts.language, String(Math.max(0, left)));
    if (left <= 0) leave();
  }, 1_000);
  find('[data-stay]', box)?.addEventListener('click', () => {
    stay(box);
    go?.focus();
  });
}

/** Does not wait for a response. */
function tellReturn(): void {
  if ('sendBeacon' in navigator) navigator.sendBeacon(`/checkout/${main.dataset['id'] ?? ''}/returned`);
}

/** A customer who prints the receipt must not be redirected. */
export function listenForPrint(): void {
  document.addEventListener('click', (event) => {
    if (!(event.target as Element).closest('[data-print]')) return;
    const box = find('[data-redirect]', stage);
    if (box) stay(box);
    print();
  });
}

/** The customer chose to stay, prints, or opens the form for a TrxID. */
function stay(box: HTMLElement): void {
  clearInterval(timer);
  find('[data-countdown]', box)?.remove();
  find('[data-stay]', box)?.remove();
}
