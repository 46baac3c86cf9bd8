import { createHmac, randomUUID } from 'node:crypto';
import { eventually } from '@pay/testing';
import { ControlPlane } from '../src/control-plane';
import { ownMerchant } from '../src/own-merchant';
import { RawApi, type RawAnswer } from '../src/raw-api';
import { readSystem } from '../src/system';
import { bkashSendMoney, newTrxId } from '../src/wallet-texts';

const RUN_DIRECTORY = process.env['E2E_RUN_DIRECTORY'] ?? '.run';
const JSON_TYPE = { 'content-type': 'application/json' };

describe('a hook for a forwarder app of others', () => {
  const system = readSystem(RUN_DIRECTORY);
  const api = new RawApi(system.baseUrl);
  let session: Record<string, string>;
  beforeAll(async () => {
    const merchant = await ownMerchant(system, new ControlPlane(RUN_DIRECTORY));
    const token = await api.signIn(merchant.owner.email, merchant.owner.password);
    session = { authorization: `Bearer ${token}`, ...JSON_TYPE };
  });
  afterAll(() => api.close());

  async function create(path: string, fields: object): Promise<Record<string, string>> {
    const answer = await api.send({ method: 'POST', path, headers: session, body: JSON.stringify(fields) });
    expect(answer).toMatchObject({ status: 201 });
    return JSON.parse(answer.text) as Record<string, string>;
  }

  function forward(path: string, secret: string): Promise<RawAnswer> {
    const message = bkashSendMoney({ amount: '75', reference: 'A1', trxId: newTrxId(new Date()) });
    const payload = { message, sender: 'bKash', simNumber: 1, receivedAt: new Date().toISOString() };
    const body = JSON.stringify({ event: 'sms:received', id: randomUUID(), payload });
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const signature = createHmac('sha256', secret)
      .update(body + timestamp)
      .digest('hex');
    const headers = { ...JSON_TYPE, 'x-timestamp': timestamp, 'x-signature': signature };
    return api.send({ method: 'POST', path, headers, body });
  }

  it('works in the moment it is made, with the secret it was given, and stops when it is deleted or its device disabled', async () => {
    const devices = '/v1/dashboard/devices';
    const device = await create(devices, { environment: 'SANDBOX', name: 'Till' });
    const hooks = `${devices}/${device['id']}/hooks`;
    const [first, second] = [
      await create(hooks, { adapter: 'sms-gateway-android' }),
      await create(hooks, { adapter: 'sms-gateway-android' }),
    ];
    const send = ({ path = '', signingSecret = '' }: Record<string, string>) => forward(path, signingSecret);

    expect(await Promise.all([send(first), send(second)])).toMatchObject([{ status: 200 }, { status: 200 }]);
    expect(await forward(first['path'] ?? '', second['signingSecret'] ?? '')).toMatchObject({ status: 401 });

    await api.send({ method: 'DELETE', path: `${hooks}/${first['id']}`, headers: session });
    await eventually(async () => (await send(first)).status === 404, 'the deleted hook is gone');
    expect(await send(second)).toMatchObject({ status: 200 });

    await api.send({ method: 'POST', path: `${devices}/${device['id']}/disable`, headers: session });
    await eventually(async () => (await send(second)).status === 404, 'the hook of the disabled device is gone');
  });
});
