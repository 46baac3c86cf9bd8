import { ServiceCallFailed, type Session } from '@pay/http';
import { z } from 'zod';
import { answerOrUnavailable } from './answer-of';
import { passOn } from './pass-on';
import type { Peer } from './service-clients';

const call = { session: { merchantId: 'a-merchant' } as Session, query: { environment: 'LIVE', page: undefined } };
const rejecting = {
  request: () => Promise.reject(new ServiceCallFailed('rejected', 'sms-ingest', 'failed', 404)),
} as Peer;

describe('a read that is passed on', () => {
  it('adds the merchant of the session to the query, and omits parameters that were not given', async () => {
    const peer = { request: (method: string, path: string) => Promise.resolve(`${method} ${path}`) } as Peer;

    expect(await passOn(peer, 'missing-sms', z.string())(call)).toBe(
      'GET /internal/v1/missing-sms?environment=LIVE&merchantId=a-merchant',
    );
  });

  it('passes on the error of the service unless every failure becomes 503', async () => {
    await expect(passOn(rejecting, 'missing-sms', z.string())(call)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(passOn(rejecting, 'missing-sms', z.string(), answerOrUnavailable)(call)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
  });
});
