import type { ErrorCode } from '@pay/contracts';

/**
 * `field` is the input to correct; the message is shown to the user and contains no secret. With a code the stored
 * state is the reason, so that the same request may succeed later.
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
