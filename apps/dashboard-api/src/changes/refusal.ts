import type { ErrorCode } from '@pay/contracts';

/**
 * A request that makes no sense as it is; `field` is the input to change. The text is for the person who asked, and
 * holds no secret. With a code it is about what is stored, and the same request may be right another time.
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
