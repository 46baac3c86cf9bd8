import type { ScriptTexts } from '../dictionary';
import type { Language } from '../languages';

export interface Texts extends ScriptTexts {
  readonly malformed: string;
  readonly malformedDigits: string;
  readonly used: string;
  readonly keptLate: string;
  readonly busy: string;
  readonly limited: string;
  readonly language: Language;
  /** Names of the available methods, for the receipt. */
  readonly methods: Readonly<Record<string, string>>;
}

export const main = document.getElementById('checkout') as HTMLElement;
export const stage = document.getElementById('stage') as HTMLElement;
export const texts = JSON.parse(main.dataset['texts'] ?? '{}') as Texts;
export const address = `/v1/checkout/${main.dataset['id'] ?? ''}`;

export function find<E extends HTMLElement>(selector: string, within: ParentNode = document): E | null {
  return within.querySelector<E>(selector);
}

/** Announces a text to screen readers, also if it is repeated. */
export function say(sentence: string): void {
  const region = find('#said');
  if (!region) return;
  region.textContent = '';
  setTimeout(() => (region.textContent = sentence), 50);
}
