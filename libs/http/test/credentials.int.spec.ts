import { sign } from 'jsonwebtoken';
import type { ApiKeyFact, DeviceFact } from '@pay/contracts';
import {
  apiKeyAuth,
  callerOf,
  deviceKeyAuth,
  deviceOf,
  hashKey,
  route,
  serviceAuth,
  sessionAuth,
  sessionOf,
  signToken,
  tenantOf,
  verifyToken,
  type Session,
} from '../src/index';
import { serve, type Served } from './serve';

const MERCHANT = '0193a5b0-7c1e-7000-8000-00000000000a';
const USER = '0193a5b0-7c1e-7000-8000-00000000000b';
const API_KEY = `sk_test_${'a'.repeat(38)}`;
const DEVICE_KEY = `dk_live_${'b'.repeat(38)}`;
const PAIR_SECRET = 'checkout and reconciler share this';
const TOKEN = 'header.claims.signature';
const SESSION: Session = { userId: USER, merchantId: MERCHANT, role: 'REVIEWER', sessionId: 's1' };

const apiKey: ApiKeyFact = {
  id: '0193a5b0-7c1e-7000-8000-00000000000c',
  version: 1,
  deleted: false,
  merchantId: MERCHANT,
  environment: 'SANDBOX',
  keyHash: hashKey(API_KEY),
  scopes: ['payments:read'],
  isLocked: false,
  expiresAt: null,
  revokedAt: null,
};
const device: DeviceFact = {
  id: '0193a5b0-7c1e-7000-8000-00000000000d',
  version: 1,
  deleted: false,
  merchantId: MERCHANT,
  environment: 'LIVE',
  name: 'counter phone',
  keyHash: hashKey(DEVICE_KEY),
  isDisabled: false,
  sims: [],
};

let served: Served;
let found: ApiKeyFact | undefined;
let foundDevice: DeviceFact | undefined;
const lookups: string[] = [];

beforeAll(async () => {
  served = await serve({
    mount(app) {
      const findKey = async (key: string) => {
        lookups.push(key);
        return found && hashKey(key) === found.keyHash ? found : undefined;
      };
      const findDevice = async (key: string) =>
        foundDevice && hashKey(key) === foundDevice.keyHash ? foundDevice : undefined;
      const findSession = async (token: string) => {
        lookups.push(token);
        return token === TOKEN ? SESSION : undefined;
      };
      app.get(
        '/v1/read',
        apiKeyAuth(findKey, 'payments:read'),
        route({}, async ({ res }) => ({ status: 200, body: callerOf(res) })),
      );
      app.post(
        '/v1/write',
        apiKeyAuth(findKey, 'payments:write'),
        route({}, async () => ({ status: 201 })),
      );
      app.get(
        '/v1/device',
        deviceKeyAuth(findDevice),
        route({}, async ({ res }) => ({ status: 200, body: deviceOf(res).id })),
      );
      app.get(
        '/v1/person',
        sessionAuth(findSession),
        route({}, async ({ res }) => ({ status: 200, body: sessionOf(res) })),
      );
      app.get(
        '/v1/owner',
        sessionAuth(findSession, ['OWNER', 'ADMIN']),
        route({}, async () => ({ status: 200 })),
      );
      app.get(
        '/internal/v1/x',
        serviceAuth({
          audience: 'reconciler',
          secrets: { 'checkout-api': PAIR_SECRET, 'sms-ingest': 'another secret of a pair', 'intent-api': '' },
          allow: ['checkout-api'],
        }),
        route({}, async ({ req }) => ({ status: 200, body: tenantOf(req) })),
      );
      app.get(
        '/v1/unguarded',
        route({}, async ({ res }) => ({ status: 200, body: callerOf(res) })),
      );
    },
  });
});

beforeEach(() => {
  found = apiKey;
  foundDevice = device;
  lookups.length = 0;
});

afterAll(() => served.close());

const unauthorized = { status: 401, body: { code: 'UNAUTHORIZED' } };

it.each([
  ['/v1/read', 'X-Api-Key', 'ApiKey realm="payment-gateway", header="X-Api-Key"'],
  ['/v1/device', 'X-Device-Key', 'DeviceKey realm="payment-gateway", header="X-Device-Key"'],
  ['/v1/person', 'Authorization', 'Bearer realm="payment-gateway"'],
  ['/internal/v1/x', undefined, 'Bearer realm="payment-gateway"'],
])('answers 401 at %s with the name of the expected header and its challenge', async (path, header, challenge) => {
  const { body, headers } = await served.send(path);

  expect(headers.get('www-authenticate')).toBe(challenge);
  if (header !== undefined) expect(body).toMatchObject({ message: expect.stringContaining(header) });
});

describe('apiKeyAuth', () => {
  it('accepts an active key and passes on its merchant', async () => {
    const answer = await served.send('/v1/read', { headers: { 'X-Api-Key': API_KEY } });

    expect(answer).toMatchObject({
      status: 200,
      body: { merchantId: MERCHANT, environment: 'SANDBOX', keyId: apiKey.id },
    });
  });

  it('answers 401 without a look-up if the value cannot be a key', async () => {
    const headers: Record<string, string>[] = [
      {},
      { 'X-Api-Key': '' },
      { 'X-Api-Key': 'sk_prod_aaaaaaaaaaaaaaaa' },
      { 'X-Api-Key': DEVICE_KEY },
      { 'X-Api-Key': `${API_KEY}'--` },
      { 'X-Api-Key': `sk_test_${'a'.repeat(500)}` },
      { Authorization: `Bearer ${API_KEY}` },
    ];

    for (const each of headers) expect(await served.send('/v1/read', { headers: each })).toMatchObject(unauthorized);
    expect(lookups).toEqual([]);
  });

  it.each([
    ['unknown', undefined],
    ['deleted', { ...apiKey, deleted: true }],
    ['locked', { ...apiKey, isLocked: true }],
    ['revoked', { ...apiKey, revokedAt: '2026-11-21T00:00:00Z' }],
  ])('answers 401 to a key that is %s', async (_name, fact) => {
    found = fact;

    expect(await served.send('/v1/read', { headers: { 'X-Api-Key': API_KEY } })).toMatchObject(unauthorized);
  });

  it('answers 403 if the key lacks the scope', async () => {
    const answer = await served.send('/v1/write', { method: 'POST', headers: { 'X-Api-Key': API_KEY } });

    expect(answer).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN', message: expect.stringContaining('payments:write') },
    });
  });

  it('answers 500 on a route without a credential check, and accepts no request', async () => {
    expect(await served.send('/v1/unguarded')).toMatchObject({ status: 500 });
  });
});

describe('deviceKeyAuth', () => {
  it('accepts the key of an enabled device', async () => {
    expect(await served.send('/v1/device', { headers: { 'X-Device-Key': DEVICE_KEY } })).toMatchObject({
      status: 200,
      body: device.id,
    });
  });

  it.each([
    ['missing', {}, device],
    ['an API key', { 'X-Device-Key': API_KEY }, device],
    ['unknown', { 'X-Device-Key': DEVICE_KEY }, undefined],
    ['of a disabled device', { 'X-Device-Key': DEVICE_KEY }, { ...device, isDisabled: true }],
    ['of a deleted device', { 'X-Device-Key': DEVICE_KEY }, { ...device, deleted: true }],
  ])('answers 401 to a key that is %s', async (_name, headers: Record<string, string>, fact) => {
    foundDevice = fact;

    expect(await served.send('/v1/device', { headers })).toMatchObject(unauthorized);
  });
});

describe('serviceAuth', () => {
  const tenant = { 'X-Merchant-Id': MERCHANT, 'X-Environment': 'LIVE' };
  const token = (
    options: { iss?: string; aud?: string; secret?: string; seconds?: number; algorithm?: 'HS256' | 'HS512' } = {},
  ) =>
    sign({}, options.secret ?? PAIR_SECRET, {
      algorithm: options.algorithm ?? 'HS256',
      issuer: options.iss ?? 'checkout-api',
      audience: options.aud ?? 'reconciler',
      expiresIn: options.seconds ?? 60,
    });
  const ask = (bearer: string, headers: Record<string, string> = tenant) =>
    served.send('/internal/v1/x', { headers: { ...headers, Authorization: `Bearer ${bearer}` } });

  it('accepts an allowed service, also when it sends the same token again', async () => {
    const bearer = token();

    for (let time = 0; time < 2; time++) {
      expect(await ask(bearer)).toMatchObject({
        status: 200,
        body: { merchantId: MERCHANT, environment: 'LIVE' },
      });
    }
  });

  it.each([
    ['of another pair', token({ secret: 'another secret of a pair' })],
    ['for another service', token({ aud: 'intent-api' })],
    ['of an unknown issuer', token({ iss: 'mallory' })],
    ['of a service that we share no secret with', token({ iss: 'dashboard-api' })],
    ['in another algorithm', token({ algorithm: 'HS512' })],
    ['with a too long lifetime', token({ seconds: 61 })],
    ['that is over', token({ seconds: -30 })],
    ['without an end', sign({ iss: 'checkout-api', aud: 'reconciler' }, PAIR_SECRET)],
    [
      'without a signature',
      `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${token().split('.')[1] ?? ''}.`,
    ],
    [
      'without a signature but with something in its place',
      `${Buffer.from('{"alg":"none"}').toString('base64url')}.${token().split('.')[1] ?? ''}.x`,
    ],
    ['of which one letter was changed', token().replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))],
    ['that is no token', 'abc'],
  ])('answers the same 401 to a token %s', async (_name, bearer) => {
    expect(await ask(bearer)).toMatchObject(unauthorized);
  });

  it('answers 401 without a token and to a token signed with an empty secret', async () => {
    expect(await served.send('/internal/v1/x')).toMatchObject(unauthorized);
    const unsigned = token({ iss: 'intent-api', secret: 'x' });
    expect(await ask(unsigned)).toMatchObject(unauthorized);
  });

  it('answers 403 to a known service that the route does not allow', async () => {
    expect(await ask(token({ iss: 'sms-ingest', secret: 'another secret of a pair' }))).toMatchObject({ status: 403 });
  });

  it('rejects a tenant header that is not valid', async () => {
    expect(await ask(token(), { 'X-Merchant-Id': 'x', 'X-Environment': 'LIVE' })).toMatchObject({ status: 400 });
    expect(await ask(token(), {})).toMatchObject({ status: 400 });
  });
});

describe('sessionAuth', () => {
  const ask = (path: string, bearer: string) => served.send(path, { headers: { Authorization: `bearer ${bearer}` } });

  it('accepts a token for which there is a session and passes the session on', async () => {
    expect(await ask('/v1/person', TOKEN)).toMatchObject({ status: 200, body: SESSION });
  });

  it('answers 401 to a token without a session, and without a look-up to what cannot be a token', async () => {
    expect(await ask('/v1/person', 'x.y.z')).toMatchObject(unauthorized);
    expect(lookups).toEqual(['x.y.z']);

    expect(await ask('/v1/person', 'x')).toMatchObject(unauthorized);
    expect(lookups).toEqual(['x.y.z']);
  });

  it('answers 403 if the session has none of the roles', async () => {
    expect(await ask('/v1/owner', TOKEN)).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN', message: 'This operation requires the role OWNER or ADMIN.' },
    });
  });
});

describe('signToken and verifyToken', () => {
  const names = { issuer: 'us', audience: 'them' };
  const claims = { sub: USER, role: 'OWNER' };
  const token = signToken('newest', names, { seconds: 60, claims });

  it('returns the claims of a token that any secret of the list has signed, and signs with the first one', () => {
    expect(verifyToken(token, ['newest', 'older'], names)).toMatchObject(claims);
    expect(verifyToken(token, ['newer', 'newest'], names)).toMatchObject(claims);
    expect(verifyToken(signToken(['newest', 'older'], names, { seconds: 60 }), 'newest', names)).toBeDefined();
    expect(() => signToken([], names, { seconds: 60 })).toThrow('at least one token secret is required');
  });

  it.each([
    ['another secret', token, ['older'], names],
    ['another issuer', token, ['newest'], { ...names, issuer: 'others' }],
    ['another audience', token, ['newest'], { ...names, audience: 'others' }],
    ['an expiry in the past', signToken('newest', names, { seconds: -1, claims }), ['newest'], names],
    ['another algorithm', sign(claims, 'newest', { ...names, algorithm: 'HS512' }), ['newest'], names],
  ])('returns undefined for a token with %s', (_name, given, secrets, expected) => {
    expect(verifyToken(given, secrets, expected)).toBeUndefined();
  });
});
