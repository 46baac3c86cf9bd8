import { say, texts } from './page-parts';

/** Falls back to a selection in browsers without the clipboard API. */
export function listenForCopies(): void {
  document.addEventListener('click', (event) => {
    const button = (event.target as Element).closest<HTMLElement>('[data-copy]');
    if (button) void copy(button, button.dataset['copy'] ?? '');
  });
}

async function copy(button: HTMLElement, text: string): Promise<void> {
  const done = await write(text);
  if (!done) return;
  const word = button.firstElementChild ?? button;
  const before = word.textContent;
  if (button.classList.contains('done')) return;
  button.classList.add('done');
  word.textContent = texts.copied;
  say(texts.copied);
  setTimeout(() => {
    button.classList.remove('done');
    word.textContent = before;
  }, 2_000);
}

async function write(text: string): Promise<boolean> {
  try {
    // Without TLS, and in old web views, `clipboard` is undefined.
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

function copyBySelection(text: string): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'seen-not';
  document.body.append(field);
  field.select();
  // Deprecated, and the only way on pages without TLS and in older browsers.
  // oxlint-disable-next-line typescript/no-deprecated
  const done = document.execCommand('copy');
  field.remove();
  return done;
}
