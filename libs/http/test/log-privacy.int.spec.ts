import type { DeviceFact } from '@pay/contracts';
import { z } from 'zod';
import { deviceKeyAuth, route, sessionAuth } from '../src/index';
import { serve, type Served } from './serve';

/** Made up, and each unlike anything else that a line holds. */
const SECRETS = {
  phone: '01798765432',
  text: 'Zebra quagga text of an SMS',
  trxId: 'ZQX9Y8W7V6',
  deviceKey: 'dk_live_ZqZqZqZqZqZqZqZqZqZqZqZqZqZqZqZqZqZqZq',
  token: 'eyJhbGciOiJIUzI1NiJ9.ZebraPayload.ZebraSignature',
  cookie: 'ZebraCookie',
};

let served: Served;

beforeAll(async () => {
  const device: DeviceFact = {
    id: '0193a5b0-7c1e-7000-8000-00000000000d',
    version: 1,
    deleted: false,
    merchantId: '0193a5b0-7c1e-7000-8000-00000000000a',
    environment: 'LIVE',
    name: 'phone',
    keyHash: 'x',
    isDisabled: false,
    sims: [],
  };
  const body = z.object({ sender: z.string(), message: z.string().max(60), trxId: z.string().optional() });
  served = await serve({
    mount(app) {
      const auth = deviceKeyAuth(async () => device);
      app.post(
        '/v1/sms',
        auth,
        route({ body }, async () => ({ status: 202, body: {} })),
      );
      app.post(
        '/v1/fails',
        auth,
        route({ body }, async ({ body }) => {
          const driver = Object.assign(new Error(`duplicate key: ${body.sender}`), {
            detail: `Key (trx_id)=(${body.trxId ?? ''})`,
            parameters: Object.values(body),
            query: `insert into sms values ('${body.message}')`,
          });
          return Promise.reject(new Error('could not store', { cause: driver }));
        }),
      );
      app.get(
        '/v1/hooks/:hookId',
        auth,
        route({}, async () => ({ status: 200 })),
      );
      app.get(
        '/v1/person',
        sessionAuth(() => Promise.resolve(undefined)),
        route({}, async () => ({ status: 200 })),
      );
    },
  });
});

afterAll(() => served.close());

it('logs no phone number, SMS text, TrxID, key or token with any request', async () => {
  const headers = {
    'x-device-key': SECRETS.deviceKey,
    authorization: `Bearer ${SECRETS.token}`,
    cookie: `refresh=${SECRETS.cookie}`,
  };
  const good = JSON.stringify({ sender: SECRETS.phone, message: SECRETS.text, trxId: SECRETS.trxId });

  const statuses = [
    (await served.post('/v1/sms', good, headers)).status,
    (await served.post('/v1/sms', good.slice(0, -1), headers)).status,
    (await served.post('/v1/sms', JSON.stringify({ sender: SECRETS.phone, message: SECRETS.text.repeat(9) }), headers))
      .status,
    (await served.post('/v1/fails', good, headers)).status,
    (await served.send(`/v1/hooks/${SECRETS.trxId}?msisdn=${SECRETS.phone}`, { headers })).status,
    (await served.send(`/nothing/${SECRETS.phone}`, { headers })).status,
    (await served.send('/v1/person', { headers })).status,
  ];
  await served.requestLine(7);

  expect(statuses).toEqual([202, 400, 400, 500, 200, 404, 401]);
  const log = JSON.stringify(served.lines);
  expect(log).toContain('could not store');
  for (const secret of [...Object.values(SECRETS), 'Zebra', SECRETS.phone.slice(1)]) expect(log).not.toContain(secret);
});

it('repeats no value of an invalid request in the response', async () => {
  const headers = { 'x-device-key': SECRETS.deviceKey };
  const answers = [
    await served.post('/v1/sms', JSON.stringify({ sender: 5, message: SECRETS.text.repeat(9) }), headers),
    await served.post('/v1/sms', `{"message": "${SECRETS.text}", ${SECRETS.phone}`, headers),
    await served.post('/v1/fails', JSON.stringify({ sender: SECRETS.phone, message: SECRETS.text }), headers),
  ];

  for (const { text } of answers) for (const secret of Object.values(SECRETS)) expect(text).not.toContain(secret);
});
