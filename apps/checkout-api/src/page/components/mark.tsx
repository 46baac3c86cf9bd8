import type { PaymentMethod } from '@pay/contracts';
import { GUIDES } from '../guide';

/** A letter in the wallet's colour, found faster than a name is read. */
export function Mark({ method }: { readonly method: PaymentMethod }) {
  const { provider } = GUIDES[method];
  return (
    <span class={`mark ${provider.toLowerCase()}`} aria-hidden="true">
      {provider === 'BKASH' ? 'b' : 'N'}
    </span>
  );
}
