import type { Guide } from '../guide';

/** A letter in the wallet's colour, found faster than a name is read. */
export function Mark({ provider }: Pick<Guide, 'provider'>) {
  return (
    <span class={`mark ${provider.toLowerCase()}`} aria-hidden="true">
      {provider === 'BKASH' ? 'b' : 'N'}
    </span>
  );
}
