import type { CheckoutView } from '@pay/contracts';
import { setClock, timeLeft } from './clock';
import { formatMoment } from '../numbers';
import { isKeptLate } from '../page-state';
import { find, main, say, stage, texts } from './page-parts';
import { startRedirect } from './redirect';

const OUTCOMES: Readonly<Record<string, string>> = {
  PAID: 'paid',
  REVIEW_REQUIRED: 'review',
  EXPIRED: 'expired',
  FAILED: 'failed',
  REJECTED: 'rejected',
};

const CLEARLY_LEFT_MS = 2_000;

/** True while the status can change. A review may end while the page is open. */
export function isOpen(): boolean {
  return main.dataset['pending'] === 'true' || main.dataset['stage'] === 'review';
}

export function isTyping(): boolean {
  return (find<HTMLInputElement>('#trx')?.value ?? '') !== '';
}

/** Unknown values leave the page unchanged. */
export function apply(view: CheckoutView): void {
  setClock(view.expiresAt, view.serverTime);
  const outcome = OUTCOMES[view.status];
  if (outcome !== undefined) {
    main.dataset['pending'] = 'false';
    show(outcome, view.redirectUrl, view);
    return;
  }
  if (view.status !== 'PENDING') return;
  const offline = find('#phone-offline');
  if (offline) offline.hidden = view.receiverOnline !== false;
  const shown = main.dataset['stage'];
  if (shown === 'cancelled' || isTyping()) return;
  if (timeLeft() <= 0) show('checking');
  // A device that slept may have counted wrong, so time may be left.
  else if (shown === 'checking' && timeLeft() > CLEARLY_LEFT_MS) location.reload();
  else if (view.claim === 'waiting' && shown === 'pay' && main.dataset['step'] === undefined) show('waiting');
  // Reload: the server shows the error at the form.
  else if (view.claim === 'used' && shown === 'waiting') {
    location.replace(`?language=${texts.language}&step=trx#trx-form`);
  } else if (isOther(view)) location.reload();
}

/** The page already contains the stage as a template. */
export function show(name: string, redirectUrl?: string | null, view?: CheckoutView): void {
  if (main.dataset['stage'] === name) return;
  const template = find<HTMLTemplateElement>(`#stage-${name}`);
  // Reload: the page does not contain this outcome, for example that of a review.
  if (!template) {
    location.reload();
    return;
  }
  const focused = document.activeElement as HTMLElement | null;
  const hadFocus = stage.contains(focused);
  const form = isTyping() || find('details[open]', stage) ? find('#trx-form', stage) : null;
  main.dataset['stage'] = name;
  document.body.dataset['stage'] = name;
  stage.className = name;
  stage.replaceChildren(template.content.cloneNode(true));
  if (view) fillReceipt(view);
  if (form) keepForm(form);
  const body = find('[data-unclaimed]', stage);
  if (body && view && isKeptLate(view)) {
    body.className = 'notice';
    body.textContent = texts.keptLate;
    body.dataset['kept'] = '';
  }
  if (name !== 'waiting') {
    for (const part of main.querySelectorAll('[data-open]')) part.remove();
  }
  const heading = find('#outcome', stage);
  const title = heading?.textContent ?? '';
  document.title = title;
  // Titles that are sentences already end with a full stop.
  say(`${/[.।!]$/.test(title) ? title : `${title}.`} ${heading?.nextElementSibling?.textContent ?? ''}`);
  scrollTo({ top: 0 });
  if (hadFocus) (stage.contains(focused) ? focused : heading)?.focus();
  startRedirect(redirectUrl);
}

/** Moves the form itself, because it may contain input, an error, or a request in progress. */
function keepForm(form: HTMLElement): void {
  const details = find<HTMLDetailsElement>('details', stage);
  if (!details) return;
  details.open = true;
  find('#trx-form', details)?.replaceWith(form);
}

/** The page was rendered before the payment, so these values come from the view. */
function fillReceipt({ paymentMethod, trxId, paidAt }: CheckoutView): void {
  const values: Readonly<Record<string, string | null | undefined>> = {
    paymentMethod: paymentMethod && texts.methods[paymentMethod],
    trxId,
    paidAt: paidAt && formatMoment(texts.language, paidAt),
  };
  for (const cell of stage.querySelectorAll<HTMLElement>('[data-field]')) {
    const value = values[cell.dataset['field'] ?? ''];
    if (!value) continue;
    cell.textContent = value;
    (cell.parentElement as HTMLElement).hidden = false;
  }
}

/** Another tab has chosen another method, so the instructions of this page are outdated. */
function isOther(view: CheckoutView): boolean {
  const { method, receiver, stage: shown } = main.dataset;
  return shown === 'pay' && (view.paymentMethod !== (method ?? null) || view.receiverMsisdn !== (receiver ?? null));
}
