import { BusinessError } from '@pay/contracts';
import { ServiceCallFailed, ValidationError } from '@pay/http';
import { answerOf } from './answer-of';

const failed = (...given: [kind: 'rejected' | 'unavailable', status?: number, code?: string, sentences?: string[]]) => {
  const [kind, status, code, sentences] = given;
  return answerOf(
    Promise.reject(new ServiceCallFailed(kind, 'intent-api', 'failed', status, code, undefined, sentences)),
  );
};

describe('the answer of the service that owns the data', () => {
  it.each([
    [
      'a refusal with a code',
      failed('rejected', 409, 'ENDPOINT_LIMIT_REACHED', ['Too many.']),
      'ENDPOINT_LIMIT_REACHED',
    ],
    ['a missing record', failed('rejected', 404), 'NOT_FOUND'],
    ['too many requests', failed('unavailable', 429), 'RATE_LIMITED'],
    ['a refused credential of this service', failed('rejected', 401, 'UNAUTHORIZED'), 'SERVICE_UNAVAILABLE'],
    ['an unknown refusal', failed('rejected', 418, 'TEAPOT'), 'SERVICE_UNAVAILABLE'],
    ['silence', failed('unavailable'), 'SERVICE_UNAVAILABLE'],
  ])('%s is answered %s %s', async (_name, answer, code) => {
    const error = await answer.catch((thrown: unknown) => thrown);

    expect(error).toBeInstanceOf(BusinessError);
    expect(error).toMatchObject({ code });
  });

  it('passes on the sentences of invalid input', async () => {
    await expect(failed('rejected', 400, undefined, ['url must be https'])).rejects.toThrow(ValidationError);
  });

  it('does not change other errors', async () => {
    await expect(answerOf(Promise.reject(new RangeError('ours')))).rejects.toThrow(RangeError);
  });
});
