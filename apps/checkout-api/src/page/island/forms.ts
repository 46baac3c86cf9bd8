import type { ConfirmResponse } from '@pay/contracts';
import { PAYER_DIGITS, tidyPayerDigits } from '../tidy-payer-digits';
import { looksLikeTrxId, tidyTrxId } from '../tidy-trx-id';
import { ask } from './live-status';
import { address, find, inTime, main, texts } from './page-parts';
import { show } from './stages';

/** Continue stays disabled until a method is chosen. It must not cover the chosen method at the edge of the screen. */
export function guardChoice(): void {
  const form = find<HTMLFormElement>('#choose');
  const button = form && find<HTMLButtonElement>('button', form);
  if (!button) return;
  const check = () => (button.disabled = !form.querySelector(':checked'));
  check();
  form.addEventListener('change', () => {
    check();
    form.querySelector(':checked')?.closest('label')?.scrollIntoView({ block: 'nearest' });
  });
}

/** Submits without leaving the page. */
export function listenForTrxId(): void {
  // Browsers show messages in the language of the phone, the page in its own. Enter also clicks the button.
  document.addEventListener('click', ({ target }) => {
    const form = (target as Element).closest<HTMLFormElement>('#trx-form');
    if (form) form.noValidate = true;
  });
  document.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement;
    if (form.id !== 'trx-form') return;
    event.preventDefault();
    void handIn(form);
  });
}

async function handIn(form: HTMLFormElement): Promise<void> {
  const input = find<HTMLInputElement>('#trx', form);
  const digits = find<HTMLInputElement>('#payer-digits', form);
  const button = find<HTMLButtonElement>('button', form);
  if (!input || !button || button.getAttribute('aria-disabled') === 'true') return;
  const trxId = tidyTrxId(input.value);
  if (!looksLikeTrxId(trxId)) {
    refuse(input, texts.malformed);
    return;
  }
  input.value = trxId;
  input.removeAttribute('aria-invalid');
  const payerDigits = digits ? tidyPayerDigits(digits.value) : undefined;
  if (digits && payerDigits !== undefined) {
    if (!PAYER_DIGITS.test(payerDigits)) {
      refuse(digits, texts.malformedDigits);
      return;
    }
    digits.value = payerDigits;
    digits.removeAttribute('aria-invalid');
  }
  const before = button.textContent;
  button.setAttribute('aria-disabled', 'true');
  button.textContent = texts.sending;
  let answer: string | undefined;
  try {
    answer = await confirm({ trxId, payerDigits }, input);
  } finally {
    button.removeAttribute('aria-disabled');
    button.textContent = before;
  }
  if (answer === undefined) return;
  if (answer !== texts.keptLate) {
    refuse(input, answer);
    return;
  }
  tell(input, answer, 'notice');
  // It says that no payment arrived and asks for a new order, which is now wrong.
  find('[data-unclaimed]')?.remove();
}

/** Returns a text for the customer; empty if the page itself shows the result. */
async function confirm(
  claim: { readonly trxId: string; readonly payerDigits: string | undefined },
  input: HTMLInputElement,
): Promise<string | undefined> {
  const answer = await send(claim);
  if (!answer || answer.status >= 500) return texts.unreachable;
  if (answer.status === 429) return texts.limited;
  if (answer.status === 400) return texts.malformed;
  if (!answer.body) return texts.unreachable;
  const { reason, code } = answer.body;
  if (code === 'duplicate_trx_id') return texts.used;
  input.value = '';
  if (reason === 'trx_id_not_found' || reason === 'processing') {
    delete main.dataset['step'];
    history.replaceState(null, '', `?language=${texts.language}`);
    show('waiting');
  }
  await ask();
  return code === 'INTENT_EXPIRED' ? texts.keptLate : undefined;
}

interface Answer {
  readonly status: number;
  /** Undefined if the response is incomplete or comes from a captive portal. */
  readonly body: (Partial<ConfirmResponse> & { readonly code?: string }) | undefined;
}

/** Undefined without a response. */
function send(claim: object): Promise<Answer | undefined> {
  return inTime(async (signal) => {
    const answer = await fetch(`${address}/confirm`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(claim),
      signal,
    });
    const body = (await answer.json().catch(() => undefined)) as Answer['body'];
    return { status: answer.status, body };
  }).catch(() => undefined);
}

/** Shown below the field. A stored claim is not an error. */
function tell(input: HTMLInputElement, sentence: string, tone: 'notice' | 'error'): void {
  const answer = find(`#${input.id}-answer`);
  if (!answer) return;
  const line = document.createElement('p');
  line.className = tone;
  line.textContent = sentence;
  answer.replaceChildren(line);
}

function refuse(input: HTMLInputElement, sentence: string): void {
  tell(input, sentence, 'error');
  input.setAttribute('aria-invalid', 'true');
  if (input.isConnected) input.focus();
}
