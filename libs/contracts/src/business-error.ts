import { ERRORS, type BusinessErrorBody, type ErrorCode } from './errors';

/** A refusal by a business rule, with a code of the error table. HTTP servers derive the status from the code. */
export class BusinessError extends Error {
  override readonly name: string = 'BusinessError';

  constructor(
    readonly code: ErrorCode,
    message: string = ERRORS[code].message,
    /** Time after which the caller may retry. */
    readonly retryAfterSeconds?: number,
    /** Further fields of the body. */
    readonly details?: Omit<BusinessErrorBody, 'code' | 'message'>,
  ) {
    super(message);
  }

  body(): BusinessErrorBody {
    return { code: this.code, message: this.message, ...this.details };
  }
}
