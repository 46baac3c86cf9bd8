import type { Guide } from '../guide';

/** A letter in the wallet's colour, which is recognised faster than its name. */
export function Mark({ provider }: Pick<Guide, 'provider'>) {
  return (
    <span class={`mark ${provider.toLowerCase()}`} aria-hidden="true">
      {provider === 'BKASH' ? 'b' : 'N'}
    </span>
  );
}
