import { FORWARDERS, type DeviceFact, type Forwarder, BusinessError } from '@pay/contracts';
import { createLogger, createMetrics } from '@pay/runtime';
import { hex, HOOK, NOW, NOW_SECONDS, SECRET, TEXT } from '../../test/forwarder-requests';
import { forwarderMetrics } from './forwarder-metrics';
import { receiveForwarded, type ReceiveForwardedDeps } from './receive-forwarded';
import { smsMetrics } from './sms-metrics';

const id = '0193a5b0-7c1e-7000-8000-000000000000';
const device: DeviceFact = {
  id,
  version: 1,
  deleted: false,
  merchantId: id,
  environment: 'SANDBOX',
  name: 'till',
  keyHash: '',
  isDisabled: false,
  sims: [],
};

/** An intake that answers everything with this failure. */
function failing(failure: Error): ReceiveForwardedDeps {
  const metrics = createMetrics('test');
  const nothing = () => undefined;
  return {
    directory: { merchant: () => Promise.resolve(undefined), receiverAccounts: () => Promise.resolve([]) },
    admit: () => nothing,
    noteSeen: nothing,
    noteRepeat: nothing,
    store: () => Promise.reject(failure),
    senderIds: { BKASH: ['bKash'], NAGAD: [], ROCKET: [], UPAY: [], notices: {} },
    hookSecrets: { open: () => SECRET },
    now: () => NOW,
    newId: () => id,
    forwarderMetrics: forwarderMetrics(metrics),
    metrics: smsMetrics(metrics),
    log: createLogger({ service: 'test', level: 'silent' }),
  };
}

const gateway = JSON.stringify({ event: 'sms:received', id: 'e', payload: { sender: 'bKash', message: TEXT } });
const bee = JSON.stringify({ webhookEvent: 'MESSAGE_RECEIVED', sender: 'bKash', message: TEXT });
const REQUESTS: Partial<Record<Forwarder, { body: string; headers: Record<string, string> }>> = {
  'sms-gateway-android': {
    body: gateway,
    headers: { 'x-timestamp': String(NOW_SECONDS), 'x-signature': hex(gateway, String(NOW_SECONDS)) },
  },
  textbee: { body: bee, headers: { 'x-signature': hex(bee) } },
  'incoming-sms-to-url': { body: JSON.stringify({ from: 'bKash', text: TEXT }), headers: {} },
};

function send(adapter: Forwarder, failure: Error) {
  const { body = '', headers = {} } = REQUESTS[adapter] ?? {};
  const sealedSecret = Object.keys(headers).length > 0 ? 'sealed' : null;
  return receiveForwarded(
    failing(failure),
    { device, hook: { id, adapter, hookHash: '', sealedSecret } },
    { method: 'POST', headers, query: '', rawBody: Buffer.from(body), path: `${HOOK}/${adapter}/h` },
  );
}

describe('a temporary failure of the intake', () => {
  const tooMuch = () => new BusinessError('RATE_LIMITED', undefined, 7);

  it('answers 503 instead of 429 to textbee, which drops messages after any 4xx', async () => {
    await expect(send('textbee', tooMuch())).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      retryAfterSeconds: 7,
    });
  });

  it.each(['sms-gateway-android', 'incoming-sms-to-url'] as const)(
    '%s comes again after any status',
    async (adapter) => {
      await expect(send(adapter, tooMuch())).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 7 });
    },
  );

  it('passes on an unavailable database, so that the kernel answers 503', async () => {
    const away = new Error('connection terminated');

    await expect(send('textbee', away)).rejects.toBe(away);
    await expect(send('sms-gateway-android', away)).rejects.toBe(away);
  });

  it('fails with an internal error for a hook of an unknown app, so that the app sends the message again', async () => {
    await expect(send('tomorrow' as Forwarder, tooMuch())).rejects.not.toBeInstanceOf(BusinessError);
    expect(FORWARDERS).not.toContain('tomorrow');
  });
});
