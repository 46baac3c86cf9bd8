import { BusinessError, ERRORS, type ErrorCode } from '@pay/contracts';
import { isClientGone, mapError } from './error-mapper';
import { ValidationError } from './errors';
import { ServiceCallFailed } from './service-client';

const never = () => false;

describe('mapError', () => {
  it.each(Object.keys(ERRORS) as ErrorCode[])('maps %s to the status and message of the error table', (code) => {
    const mapped = mapError(new BusinessError(code), never);

    expect(mapped).toMatchObject({ status: ERRORS[code].status, body: { code, message: ERRORS[code].message } });
  });

  it('maps a validation error to its own body shape and does not mark it as a server fault', () => {
    expect(mapError(new ValidationError(['a is required', 'b is required']), never)).toEqual({
      status: 400,
      body: { statusCode: 400, message: ['a is required', 'b is required'], error: 'Bad Request' },
      isServerError: false,
    });
  });

  it.each([
    ['an Error', new Error('column "x" of relation "intents" does not exist')],
    [
      'an error that only looks like one of Express',
      Object.assign(new Error('secret'), { status: 418, statusCode: 418 }),
    ],
    ['a text', 'thrown text'],
    ['nothing', undefined],
    ['null', null],
  ])('maps %s to a 500 without details', (_name, error) => {
    const mapped = mapError(error, never);

    expect(mapped).toMatchObject({ status: 500, isServerError: true });
    expect(mapped.body).toEqual({ code: 'INTERNAL_ERROR', message: ERRORS.INTERNAL_ERROR.message });
  });

  it.each([
    ['a lost database', new Error('Connection terminated'), (error: unknown) => error instanceof Error],
    ['a service that does not answer', new ServiceCallFailed('unavailable', 'reconciler', 'no answer'), never],
  ])('maps %s to a 503 with Retry-After', (_name, error, isUnavailable) => {
    expect(mapError(error, isUnavailable)).toMatchObject({
      status: 503,
      body: { code: 'SERVICE_UNAVAILABLE' },
      headers: { 'Retry-After': '1' },
      isServerError: true,
    });
  });

  it('maps a rejected request to another service to a 500', () => {
    expect(mapError(new ServiceCallFailed('rejected', 'reconciler', 'answered 400', 400), never).status).toBe(500);
  });
});

describe('isClientGone', () => {
  it('returns true only for the error of an aborted request body', () => {
    expect(isClientGone(Object.assign(new Error('request aborted'), { type: 'request.aborted' }))).toBe(true);
    expect(isClientGone(new Error('request aborted'))).toBe(false);
    expect(isClientGone('request.aborted')).toBe(false);
  });
});
