import type { CheckoutView } from '@pay/contracts';
import type { Dictionary } from '../dictionary';
import { Contact } from './contact';

interface FooterModel {
  readonly words: Dictionary;
  /** Null on pages without a payment. */
  readonly view: CheckoutView | null;
}

export function Footer({ words, view }: FooterModel) {
  return (
    <footer>
      <p class="pin">
        <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
          <path d="M8 1l6 2v4c0 4-2.500 6.500-6 8-3.500-1.500-6-4-6-8V3z" />
        </svg>
        {words.neverPin}
      </p>
      {view !== null && <Contact view={view} words={words} />}
    </footer>
  );
}
