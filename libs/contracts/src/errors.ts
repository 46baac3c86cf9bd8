/**
 * Every business error of the API with its HTTP status and default text. The code is the contract; the text may change.
 * `duplicate_trx_id` is lower case because the specification spells it so.
 */
export const ERRORS = {
  ...of(401, {
    UNAUTHORIZED: 'The credential is missing or invalid.',
    TOTP_REQUIRED: 'Two-factor authentication is enabled. Repeat the request with code.',
    PAIRING_REFUSED: 'The pairing is invalid or expired. Create a new one in the dashboard.',
  }),
  ...of(403, {
    FORBIDDEN: 'The credential does not permit this operation.',
    UNSIGNED_TEXTS_REFUSED:
      'This forwarder app does not sign SMS texts, so LIVE rejects its requests. Use an app that signs the text, or ask an OWNER to allow ' +
      'unsigned texts for this device in the dashboard.',
  }),
  ...of(404, { NOT_FOUND: 'No object with this id exists in this merchant and environment.' }),
  ...of(405, { METHOD_NOT_ALLOWED: 'The path does not support this HTTP method.' }),
  ...of(408, { REQUEST_TIMEOUT: 'The request was not complete within the time limit.' }),
  ...of(409, {
    INTENT_EXPIRED: 'The payment intent has expired. Create a new intent.',
    INTENT_NOT_PENDING: 'The status of the payment intent does not allow this.',
    METHOD_FIXED: 'The payment method of this intent was set by the merchant and cannot be changed.',
    CUSTOMER_REFERENCE_TAKEN:
      'customerReference is already used by another intent of this merchant and environment. Use another one.',
    API_KEY_NOT_ACTIVE: 'This API key is revoked, expired or locked.',
    API_KEY_LIMIT_REACHED:
      'The maximum number of API keys for this merchant and environment is reached. Revoke a key first.',
    LAST_OWNER: 'A merchant must have at least one active OWNER. Add another OWNER first.',
    EMAIL_TAKEN: 'An account with this e-mail address already exists. Accept the invitation with its password.',
    ALREADY_MEMBER: 'The user with this e-mail address is already a member of this merchant.',
    INVITATION_OPEN: 'An open invitation for this e-mail address exists. Revoke it first.',
    INVITATION_LIMIT_REACHED:
      'The maximum number of invitations per day is reached for this merchant. Try again tomorrow.',
    INVITATION_ACCEPTED: 'The invitation was already accepted. Deactivate the user instead.',
    RECEIVER_ACCOUNT_EXISTS: 'This merchant already has a receiver account with this number and payment method.',
    RECEIVER_NUMBER_TAKEN: 'Another merchant has verified this number. Verify that you own it first.',
    NUMBER_PROOF_LIMIT_REACHED:
      'The maximum number of open number verifications is reached for this merchant. Complete one, or wait until one expires.',
    DEVICE_LIMIT_REACHED:
      'The maximum number of devices for this merchant and environment is reached. Disable a device first.',
    DEVICE_DISABLED: 'The device is disabled. Enable it first.',
    UNSIGNED_TEXTS_NOT_ALLOWED:
      'This forwarder app does not sign SMS texts, so anyone who knows the address of the hook can forge a payment. In LIVE an OWNER must ' +
      'first allow unsigned texts for this device.',
    TWO_FACTOR_ON: 'Two-factor authentication is already enabled. Disable it first.',
    TWO_FACTOR_NOT_BEGUN: 'Two-factor authentication enrolment has not been started. Start it first.',
    TOO_MANY_HOOKS: 'The maximum number of hooks for this device is reached. Delete one first.',
    TIME_OUT_OF_RANGE: 'A time in the request is outside the permitted range.',
    ENDPOINT_NOT_ACTIVE: 'The endpoint is deleted or disabled, or it is a LIVE endpoint that is not verified.',
    ENDPOINT_LIMIT_REACHED:
      'The maximum number of webhook endpoints for this merchant and environment is reached. Delete one first.',
    ENDPOINT_HOST_UNVERIFIED:
      'url has the same host and port as another unverified endpoint of this merchant. Verify or delete that endpoint first.',
    CURSOR_AHEAD:
      'after refers to a position that this feed has not reached. Continue with lastCursor, and skip events whose id you have already processed.',
    TEST_CLOCK_ADVANCING: 'The test clock is advancing. Wait until its status is ready, or reset it.',
    EXCEPTION_DECIDED: 'The exception has already been decided.',
    EXCEPTION_NOT_CLOSED: 'Only an exception that a user closed can be reopened.',
    NO_INTENT_TO_APPROVE: 'The exception refers to no payment intent. Use link to choose one.',
    NO_MONEY_READ: 'The SMS contains no incoming payment, so it cannot pay an intent.',
    INTENT_NOT_IN_REVIEW: 'Only a payment intent in status REVIEW_REQUIRED can be rejected.',
    INTENT_IN_OTHER_EXCEPTION: 'Another open exception leads to the payment intent. Decide that exception first.',
    AMOUNT_DIFFERS:
      'The received amount differs from the amount of the intent. To accept it, send acknowledgeAmountDifference with expectedAmount and receivedAmount.',
    METHOD_DIFFERS:
      'The payment method differs from the methods shown for the intent. To accept it, send acknowledgeMethodMismatch.',
    RECEIVER_DIFFERS:
      'The receiver number differs from the numbers shown for the intent. To accept it, send acknowledgeReceiverMismatch.',
    NAMES_ANOTHER_INTENT:
      'The SMS contains the reference of another unpaid payment intent. To accept it, send acknowledgeReferenceMismatch.',
    DOUBTS_NOT_ACKNOWLEDGED:
      'It is doubtful who has paid. To accept the payment, send acknowledgeDoubts with every such doubt of the exception.',
    duplicate_trx_id: 'This transaction ID has already been used for another payment.',
    TEST_ENDPOINT_REFUSED:
      'The hosted test endpoint could not be registered. Delete a webhook endpoint, or try again later.',
  }),
  ...of(410, {
    CURSOR_EXPIRED: 'Events after this cursor have been deleted. Omit after to start with the oldest event.',
  }),
  ...of(413, { PAYLOAD_TOO_LARGE: 'The request body is larger than the limit of this route.' }),
  ...of(415, { UNSUPPORTED_MEDIA_TYPE: 'Content-Type must be application/json.' }),
  ...of(422, {
    REASON_REQUIRED: 'reason is required when a signal is added to evidenceRules.relaxedSignals.',
    IDEMPOTENCY_KEY_REUSED:
      'idempotencyKey was already used with different parameters. Use a new key for a new payment.',
    RECEIVER_ACCOUNT_NOT_CONFIGURED:
      'No active receiver account exists for this merchant, environment and payment method. Configure one first.',
    ENDPOINT_URL_NOT_ALLOWED: 'The URL of the webhook endpoint is not allowed.',
    ENDPOINT_VERIFICATION_FAILED: 'The endpoint did not return the challenge.',
    INVITATION_NOT_VALID: 'The invitation is invalid or expired. Ask for a new one.',
    PASSWORD_NOT_ALLOWED: 'The password is too easy to guess. Choose another one.',
    PASSWORD_WRONG: 'The password is wrong.',
    CODE_WRONG: 'The code is wrong or was already used.',
  }),
  ...of(429, {
    TEST_RUN_LIMIT_REACHED:
      'The maximum number of unfinished test runs of this merchant is reached. Wait until a run ends.',
    RATE_LIMITED: 'Too many requests. Retry after the number of seconds in Retry-After.',
    BUSY: 'Too many messages are waiting to be stored. No message of this request was stored. Retry after the number of seconds in Retry-After.',
  }),
  ...of(431, { HEADERS_TOO_LARGE: 'The headers of the request are larger than 16 KiB.' }),
  ...of(500, { INTERNAL_ERROR: 'Internal error. Contact support with the value of X-Request-Id.' }),
  ...of(503, { SERVICE_UNAVAILABLE: 'The service is temporarily unavailable. Retry after a few seconds.' }),
} as const;

function of<Status extends number, Code extends string>(
  status: Status,
  messages: Readonly<Record<Code, string>>,
): Readonly<Record<Code, { readonly status: Status; readonly message: string }>> {
  const errors = Object.entries<string>(messages).map(([code, message]) => [code, { status, message }]);
  return Object.fromEntries(errors) as Record<Code, { status: Status; message: string }>;
}

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
