import type { DeviceFact } from '@pay/contracts';
import { newCredential } from '@pay/directory';
import { hashKey, serviceClient, type ServiceClient } from '@pay/http';
import { captureServer, failOnLeaks, type CaptureServer } from '@pay/testing';
import { uuidv7 } from 'uuidv7';
import { phoneApi, startService, type ServiceUnderTest } from './service-under-test';

failOnLeaks();

describe('POST /v1/devices/pair', () => {
  const owned = { merchantId: uuidv7(), environment: 'LIVE' as const };
  const deviceKey = newCredential('dk_live_');
  const device: DeviceFact = {
    id: uuidv7(),
    version: 2,
    deleted: false,
    ...owned,
    name: 'Counter phone',
    keyHash: hashKey(deviceKey),
    isDisabled: false,
    sims: [],
  };
  const CODE = '7KQ4MRXP';
  let owner: CaptureServer;
  let dashboardApi: ServiceClient;
  let service: ServiceUnderTest;
  let isAway = false;

  beforeAll(async () => {
    owner = await captureServer();
    owner.respondWith((request) => {
      if (isAway) return { status: 500, body: '{}' };
      if (request.path === `/internal/v1/devices/${device.keyHash}`) {
        return { status: 200, body: JSON.stringify({ device }) };
      }
      const { code } = request.json() as { code: string };
      if (code !== CODE) return { status: 401, body: JSON.stringify({ code: 'PAIRING_REFUSED', message: 'No.' }) };
      const paired = { deviceId: device.id, deviceKey, environment: device.environment, name: device.name };
      return { status: 200, body: JSON.stringify(paired) };
    });
    dashboardApi = serviceClient({
      issuer: 'sms-ingest',
      audience: 'dashboard-api',
      secret: 's'.repeat(32),
      baseUrl: owner.url,
    });
    service = await startService({ dashboardApi });
  });
  afterAll(async () => {
    await service.stop();
    await dashboardApi.close();
    await owner.close();
  });
  beforeEach(() => {
    isAway = false;
  });

  const pair = (body: unknown) =>
    fetch(`${service.url}/v1/devices/pair`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  it('is forwarded to dashboard-api, and the key works immediately', async () => {
    const response = await pair({ pairingId: uuidv7(), code: ' 7kq4-mrxp ' });

    expect(response.status).toBe(200);
    await expect(response.json()).resolves.toEqual({
      deviceId: device.id,
      deviceKey,
      environment: 'LIVE',
      name: 'Counter phone',
    });
    await expect(phoneApi(service.url, deviceKey).statusBatch({ ids: [] })).resolves.toMatchObject({ status: 200 });
    expect(JSON.stringify(service.lines)).not.toMatch(new RegExp(`${deviceKey}|${CODE}`));
  });

  it('answers every refusal of dashboard-api with the same 401', async () => {
    const response = await pair({ pairingId: uuidv7(), code: 'WRONGONE' });

    expect(response.status).toBe(401);
    await expect(response.json()).resolves.toEqual({ code: 'PAIRING_REFUSED', message: expect.any(String) });
  });

  it('answers 400 to an invalid request without calling dashboard-api', async () => {
    const asked = owner.requests.length;

    const response = await pair({ pairingId: 'x', code: 7 });

    expect(response.status).toBe(400);
    await expect(response.json()).resolves.toMatchObject({
      message: ['pairingId is required and must be a UUID', 'code is required and must be a string'],
    });
    expect(owner.requests).toHaveLength(asked);
  });

  it('is limited to 10 attempts per minute and address, or to the configured number', async () => {
    const limited = await startService({ dashboardApi, pairingsPerMinute: 3 });
    const asked = owner.requests.length;
    const body = JSON.stringify({ pairingId: uuidv7(), code: 'WRONGONE' });
    const headers = { 'content-type': 'application/json' };

    const answers = await Promise.all(
      Array.from({ length: 10 }, () => fetch(`${limited.url}/v1/devices/pair`, { method: 'POST', headers, body })),
    );

    const admitted = answers.filter(({ status }) => status === 401);
    const refused = answers.filter(({ status }) => status === 429);
    expect(admitted.length).toBeGreaterThan(0);
    expect(admitted.length).toBeLessThanOrEqual(3);
    expect(refused).toHaveLength(10 - admitted.length);
    expect(owner.requests).toHaveLength(asked + admitted.length);
    for (const answer of refused) {
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(answer.headers.get('ratelimit-limit')).toBe('3');
    }
    await limited.stop();
  });

  it('answers 503 while dashboard-api is unavailable, and does not send a code twice', async () => {
    isAway = true;
    const asked = owner.requests.length;

    const response = await pair({ pairingId: uuidv7(), code: CODE });

    expect(response.status).toBe(503);
    expect(owner.requests).toHaveLength(asked + 1);
  });
});
