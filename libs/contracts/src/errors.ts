/**
 * Every business error of the API with its HTTP status and default text. The code is the contract; the text may change.
 * `duplicate_trx_id` is lower case because the specification spells it so.
 */
export const ERRORS = {
  UNAUTHORIZED: { status: 401, message: 'The credential is missing or invalid.' },
  TOTP_REQUIRED: { status: 401, message: 'Two-factor authentication is enabled. Repeat the request with code.' },
  PAIRING_REFUSED: { status: 401, message: 'The pairing is invalid or expired. Create a new one in the dashboard.' },
  FORBIDDEN: { status: 403, message: 'The credential does not permit this operation.' },
  UNSIGNED_TEXTS_REFUSED: {
    status: 403,
    message:
      'This forwarder app does not sign SMS texts, so LIVE rejects its requests. Use an app that signs the text, or ask an OWNER to allow ' +
      'unsigned texts for this device in the dashboard.',
  },
  NOT_FOUND: { status: 404, message: 'No object with this id exists in this merchant and environment.' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'The path does not support this HTTP method.' },
  INTENT_EXPIRED: { status: 409, message: 'The payment intent has expired. Create a new intent.' },
  INTENT_NOT_PENDING: { status: 409, message: 'The status of the payment intent does not allow this.' },
  METHOD_FIXED: {
    status: 409,
    message: 'The payment method of this intent was set by the merchant and cannot be changed.',
  },
  CUSTOMER_REFERENCE_TAKEN: {
    status: 409,
    message: 'customerReference is already used by another intent of this merchant and environment. Use another one.',
  },
  API_KEY_NOT_ACTIVE: { status: 409, message: 'This API key is revoked, expired or locked.' },
  API_KEY_LIMIT_REACHED: {
    status: 409,
    message: 'The maximum number of API keys for this merchant and environment is reached. Revoke a key first.',
  },
  LAST_OWNER: { status: 409, message: 'A merchant must have at least one active OWNER. Add another OWNER first.' },
  EMAIL_TAKEN: {
    status: 409,
    message: 'An account with this e-mail address already exists. Log in to it and accept the invitation there.',
  },
  ALREADY_MEMBER: { status: 409, message: 'The user with this e-mail address is already a member of this merchant.' },
  INVITATION_OPEN: { status: 409, message: 'An open invitation for this e-mail address exists. Revoke it first.' },
  INVITATION_LIMIT_REACHED: {
    status: 409,
    message: 'The maximum number of invitations per day is reached for this merchant. Try again tomorrow.',
  },
  INVITATION_ACCEPTED: { status: 409, message: 'The invitation was already accepted. Deactivate the user instead.' },
  RECEIVER_ACCOUNT_EXISTS: {
    status: 409,
    message: 'This merchant already has a receiver account with this number and payment method.',
  },
  RECEIVER_NUMBER_TAKEN: {
    status: 409,
    message: 'Another merchant has verified this number. Verify that you own it first.',
  },
  NUMBER_PROOF_LIMIT_REACHED: {
    status: 409,
    message:
      'The maximum number of open number verifications is reached for this merchant. Complete one, or wait until one expires.',
  },
  DEVICE_LIMIT_REACHED: {
    status: 409,
    message: 'The maximum number of devices for this merchant and environment is reached. Disable a device first.',
  },
  DEVICE_DISABLED: { status: 409, message: 'The device is disabled. Enable it first.' },
  UNSIGNED_TEXTS_NOT_ALLOWED: {
    status: 409,
    message:
      'This forwarder app does not sign SMS texts, so anyone who knows the address of the hook can forge a payment. In LIVE an OWNER must ' +
      'first allow unsigned texts for this device.',
  },
  TWO_FACTOR_ON: { status: 409, message: 'Two-factor authentication is already enabled. Disable it first.' },
  TWO_FACTOR_NOT_BEGUN: {
    status: 409,
    message: 'Two-factor authentication enrolment has not been started. Start it first.',
  },
  REASON_REQUIRED: {
    status: 422,
    message: 'reason is required when a signal is added to evidenceRules.relaxedSignals.',
  },
  TOO_MANY_HOOKS: { status: 409, message: 'The maximum number of hooks for this device is reached. Delete one first.' },
  TIME_OUT_OF_RANGE: { status: 409, message: 'A time in the request is outside the permitted range.' },
  ENDPOINT_NOT_ACTIVE: {
    status: 409,
    message: 'The endpoint is deleted or disabled, or it is a LIVE endpoint that is not verified.',
  },
  ENDPOINT_LIMIT_REACHED: {
    status: 409,
    message: 'The maximum number of webhook endpoints for this merchant and environment is reached. Delete one first.',
  },
  ENDPOINT_HOST_UNVERIFIED: {
    status: 409,
    message:
      'url has the same host and port as another unverified endpoint of this merchant. Verify or delete that endpoint first.',
  },
  CURSOR_AHEAD: {
    status: 409,
    message:
      'after refers to a position that this feed has not reached. Continue with lastCursor, and skip events whose id you have already processed.',
  },
  TEST_CLOCK_ADVANCING: {
    status: 409,
    message: 'The test clock is advancing. Wait until its status is ready, or reset it.',
  },
  EXCEPTION_DECIDED: { status: 409, message: 'The exception has already been decided.' },
  EXCEPTION_NOT_CLOSED: { status: 409, message: 'Only an exception that a user closed can be reopened.' },
  NO_INTENT_TO_APPROVE: { status: 409, message: 'The exception refers to no payment intent. Use link to choose one.' },
  NO_MONEY_READ: { status: 409, message: 'The SMS contains no incoming payment, so it cannot pay an intent.' },
  INTENT_NOT_IN_REVIEW: { status: 409, message: 'Only a payment intent in status REVIEW_REQUIRED can be rejected.' },
  INTENT_IN_OTHER_EXCEPTION: {
    status: 409,
    message: 'Another open exception leads to the payment intent. Decide that exception first.',
  },
  AMOUNT_DIFFERS: {
    status: 409,
    message:
      'The received amount differs from the amount of the intent. To accept it, send acknowledgeAmountDifference with expectedAmount and receivedAmount.',
  },
  METHOD_DIFFERS: {
    status: 409,
    message:
      'The payment method differs from the methods shown for the intent. To accept it, send acknowledgeMethodMismatch.',
  },
  RECEIVER_DIFFERS: {
    status: 409,
    message:
      'The receiver number differs from the numbers shown for the intent. To accept it, send acknowledgeReceiverMismatch.',
  },
  NAMES_ANOTHER_INTENT: {
    status: 409,
    message:
      'The SMS contains the reference of another unpaid payment intent. To accept it, send acknowledgeReferenceMismatch.',
  },
  DOUBTS_NOT_ACKNOWLEDGED: {
    status: 409,
    message:
      'It is doubtful who has paid. To accept the payment, send acknowledgeDoubts with every such doubt of the exception.',
  },
  duplicate_trx_id: { status: 409, message: 'This transaction ID has already been used for another payment.' },
  CURSOR_EXPIRED: {
    status: 410,
    message: 'Events after this cursor have been deleted. Omit after to start with the oldest event.',
  },
  REQUEST_TIMEOUT: { status: 408, message: 'The request was not complete within the time limit.' },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'The request body is larger than the limit of this route.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'Content-Type must be application/json.' },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    message: 'idempotencyKey was already used with different parameters. Use a new key for a new payment.',
  },
  RECEIVER_ACCOUNT_NOT_CONFIGURED: {
    status: 422,
    message:
      'No active receiver account exists for this merchant, environment and payment method. Configure one first.',
  },
  ENDPOINT_URL_NOT_ALLOWED: { status: 422, message: 'The URL of the webhook endpoint is not allowed.' },
  ENDPOINT_VERIFICATION_FAILED: { status: 422, message: 'The endpoint did not return the challenge.' },
  INVITATION_NOT_VALID: { status: 422, message: 'The invitation is invalid or expired. Ask for a new one.' },
  PASSWORD_NOT_ALLOWED: { status: 422, message: 'The password is too easy to guess. Choose another one.' },
  PASSWORD_WRONG: { status: 422, message: 'The password is wrong.' },
  CODE_WRONG: { status: 422, message: 'The code is wrong or was already used.' },
  TEST_RUN_LIMIT_REACHED: {
    status: 429,
    message: 'The maximum number of unfinished test runs of this merchant is reached. Wait until a run ends.',
  },
  TEST_ENDPOINT_REFUSED: {
    status: 409,
    message: 'The hosted test endpoint could not be registered. Delete a webhook endpoint, or try again later.',
  },
  RATE_LIMITED: { status: 429, message: 'Too many requests. Retry after the number of seconds in Retry-After.' },
  BUSY: {
    status: 429,
    message:
      'Too many messages are waiting to be stored. No message of this request was stored. Retry after the number of seconds in Retry-After.',
  },
  HEADERS_TOO_LARGE: { status: 431, message: 'The headers of the request are larger than 16 KiB.' },
  INTERNAL_ERROR: { status: 500, message: 'Internal error. Contact support with the value of X-Request-Id.' },
  SERVICE_UNAVAILABLE: { status: 503, message: 'The service is temporarily unavailable. Retry after a few seconds.' },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof ERRORS;

/** Body of every error that is not a validation error (spec section 7). */
export interface BusinessErrorBody {
  readonly code: ErrorCode;
  readonly message: string;
  /** Of CURSOR_AHEAD: the cursor of the last event. */
  readonly lastCursor?: string;
}

/** Body of a validation error: one sentence per problem, each naming its field (spec section 7). */
export interface ValidationErrorBody {
  readonly statusCode: 400;
  readonly message: readonly string[];
  readonly error: 'Bad Request';
}
