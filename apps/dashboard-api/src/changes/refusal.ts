import type { ErrorCode } from '@pay/contracts';

/**
 * An invalid request; `field` is the input to correct, and the message is for the user and contains no secret. With a
 * code the reason is the stored state, so the same request may succeed later.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    readonly field: string,
    message: string,
    readonly code?: ErrorCode,
  ) {
    super(message);
  }
}
