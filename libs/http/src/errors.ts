import { BusinessError, type ErrorCode, type ValidationErrorBody } from '@pay/contracts';

export class ApiError extends BusinessError {
  override readonly name = 'ApiError';

  constructor(
    code: ErrorCode,
    message: string | undefined,
    readonly headers: Readonly<Record<string, string>>,
  ) {
    super(code, message);
  }
}

/** Adds the challenge that RFC 9110 requires in every 401. Used in `catch`. */
export function addChallenge(code: ErrorCode, challenge: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof BusinessError) || error.code !== code) throw error;
    throw new ApiError(code, error.message, { 'WWW-Authenticate': challenge });
  };
}

export function headersOf(refusal: BusinessError): Readonly<Record<string, string>> {
  if (refusal instanceof ApiError) return refusal.headers;
  const { retryAfterSeconds } = refusal;
  return retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) };
}

/** Each sentence names its field and never contains a value. */
export class ValidationError extends Error {
  override readonly name = 'ValidationError';

  constructor(readonly messages: readonly string[]) {
    super(messages.join('; '));
  }

  body(): ValidationErrorBody {
    return { statusCode: 400, message: this.messages, error: 'Bad Request' };
  }
}
