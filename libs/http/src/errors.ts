import { BusinessError, type ErrorCode, type ValidationErrorBody } from '@pay/contracts';

/** A refusal with additional headers. */
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

/** For `catch`: adds the challenge that every 401 names (RFC 9110) to refusals with this code. */
export function addChallenge(code: ErrorCode, challenge: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof BusinessError) || error.code !== code) throw error;
    throw new ApiError(code, error.message, { 'WWW-Authenticate': challenge });
  };
}

/** Headers of the response to a refusal. */
export function headersOf(refusal: BusinessError): Readonly<Record<string, string>> {
  if (refusal instanceof ApiError) return refusal.headers;
  const { retryAfterSeconds } = refusal;
  return retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) };
}

/** A request that breaks its contract: one sentence per problem, each naming its field and never a value. */
export class ValidationError extends Error {
  override readonly name = 'ValidationError';

  constructor(readonly messages: readonly string[]) {
    super(messages.join('; '));
  }

  body(): ValidationErrorBody {
    return { statusCode: 400, message: this.messages, error: 'Bad Request' };
  }
}
