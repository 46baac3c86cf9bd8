import { ERRORS, type BusinessErrorBody, type ErrorCode, type ValidationErrorBody } from '@pay/contracts';

/** A refusal in business words: one code of the table in contracts, which also gives the status and the default text. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;

  constructor(
    readonly code: ErrorCode,
    message: string = ERRORS[code].message,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    const { status } = ERRORS[code];
    // Nobody reads where a refusal was made, and under a flood of them finding that out is what costs.
    const { stackTraceLimit } = Error;
    if (status < 500) Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
    this.status = status;
  }

  body(): BusinessErrorBody {
    return { code: this.code, message: this.message };
  }
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
