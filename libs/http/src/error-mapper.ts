import { BusinessError, ERRORS } from '@pay/contracts';
import { headersOf, ValidationError } from './errors';
import { ServiceCallFailed } from './service-client';

export interface MappedError {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The cause of these errors is logged. */
  readonly isServerError: boolean;
}

/** An unknown error is a 500 without details. */
export function mapError(error: unknown, isUnavailable: (error: unknown) => boolean): MappedError {
  if (error instanceof BusinessError) {
    const { status } = ERRORS[error.code];
    return { status, body: error.body(), headers: headersOf(error), isServerError: status >= 500 };
  }
  if (error instanceof ValidationError) return { status: 400, body: error.body(), isServerError: false };
  const refused = refusedByExpress(error);
  if (refused) return mapError(refused, isUnavailable);
  const isDependencyDown = (error instanceof ServiceCallFailed && error.kind === 'unavailable') || isUnavailable(error);
  return mapError(
    isDependencyDown ? new BusinessError('SERVICE_UNAVAILABLE', undefined, 1) : new BusinessError('INTERNAL_ERROR'),
    isUnavailable,
  );
}

/**
 * Maps errors of body-parser (they have a `type`) and of the router (a path that cannot be decoded) to the gateway's
 * error codes and messages.
 */
function refusedByExpress(error: unknown): BusinessError | ValidationError | undefined {
  if (!(error instanceof Error)) return undefined;
  switch ('type' in error ? error.type : undefined) {
    case 'entity.parse.failed':
      return new ValidationError(['body must be a valid JSON object']);
    case 'entity.too.large':
      return new BusinessError('PAYLOAD_TOO_LARGE');
    case 'encoding.unsupported':
      return new BusinessError(
        'UNSUPPORTED_MEDIA_TYPE',
        'The request body must not be compressed. Send it without Content-Encoding.',
      );
    case 'charset.unsupported':
      return new BusinessError('UNSUPPORTED_MEDIA_TYPE', 'The charset of Content-Type must be utf-8.');
  }
  if (error instanceof URIError) return new ValidationError(['URL must use valid percent-encoding']);
  // Other 4xx of Express and its middleware, such as an incomplete body. Only errors with `expose` have a message that
  // clients may see.
  const status: unknown = 'status' in error ? error.status : undefined;
  const shown = 'expose' in error && error.expose === true;
  return shown && typeof status === 'number' && status >= 400 && status < 500
    ? new ValidationError(['body is incomplete or could not be read'])
    : undefined;
}

/** The client disconnected before its request was complete. This is not an error, and no response is possible. */
export function isClientGone(error: unknown): boolean {
  return error instanceof Error && 'type' in error && error.type === 'request.aborted';
}
