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
  /** Names of methods for the receipt. */
  readonly methods: Readonly<Record<string, string>>;
}

export const main = document.getElementById('checkout') as HTMLElement;
export const stage = document.getElementById('stage') as HTMLElement;
export const texts = JSON.parse(main.dataset['texts'] ?? '{}') as Texts;
export const address = `/v1/checkout/${main.dataset['id'] ?? ''}`;

export function find<E extends HTMLElement>(selector: string, within: ParentNode = document): E | null {
  return within.querySelector<E>(selector);
}

const LONGEST_REQUEST_MS = 15_000;

/** AbortSignal.timeout is missing in some supported browsers. */
export async function inTime<T>(request: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), LONGEST_REQUEST_MS);
  try {
    return await request(controller.signal);
  } finally {
    clearTimeout(timer);
  }
}

/** Screen readers ignore an unchanged text, so a repeated one must differ. */
export function say(sentence: string): void {
  const region = find('#said');
  if (!region) return;
  region.textContent = '';
  setTimeout(() => (region.textContent = sentence), 50);
}
