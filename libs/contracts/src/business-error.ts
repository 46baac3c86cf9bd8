import { ERRORS, type BusinessErrorBody, type ErrorCode } from './errors';

/** A refusal by the rules of the business, by one code of the table of errors. HTTP servers give it its status. */
export class BusinessError extends Error {
  override readonly name: string = 'BusinessError';

  constructor(
    readonly code: ErrorCode,
    message: string = ERRORS[code].message,
    /** When the caller may try again. */
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
  }

  body(): BusinessErrorBody {
    return { code: this.code, message: this.message };
  }
}
