import { GENERATED_REFERENCE_LENGTH, REFERENCE_ALPHABET } from '@pay/contracts';

/** `pick(n)` returns a uniform random integer below n. */
export function generatedReference(pick: (below: number) => number): string {
  let reference = '';
  while (reference.length < GENERATED_REFERENCE_LENGTH) {
    reference += REFERENCE_ALPHABET.charAt(pick(REFERENCE_ALPHABET.length));
  }
  return reference;
}
