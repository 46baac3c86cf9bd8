import { randomUUID } from 'node:crypto';
import { sign, signStandard } from '@pay/signing';
import { eventually } from '@pay/testing';
import { complaintAbout, installPackage, LANGUAGES, startExample, type RunningExample } from './merchant-examples';
import { anEvent } from './service-under-test';
import { idOf, SECRET, stage } from './stage';

const NEXT_SECRET = 'battery-staple-correct-horse';

let installed: ReturnType<typeof installPackage>;
beforeAll(() => {
  installed = installPackage();
});
afterAll(() => installed.remove());

describe.each(LANGUAGES)('the example in %s, sent to by the dispatcher', (language) => {
  const on = stage();
  let started: RunningExample | undefined;
  let example: RunningExample;

  beforeAll(async () => {
    // A machine without the language installs it first.
    started = await startExample(language, installed.folder, {
      WEBHOOK_SECRET: SECRET,
      WEBHOOK_NEXT_SECRET: NEXT_SECRET,
      WEBHOOK_ENVIRONMENT: 'SANDBOX',
    });
    example = started;
  }, 180_000);
  // Undefined where the language is missing: then that, and what to install, is what fails.
  afterAll(() => started?.stop());

  test('passes verification, fulfils an order once for repeated webhooks, and accepts a rotated secret', async () => {
    const id = await on.register({ url: example.url });
    expect((await on.api.verify(on.merchant, id)).body).toMatchObject({ isVerified: true });
    const event = anEvent('intent.paid', on.merchant);
    await on.service.announce(event);
    const delivery = await on.settled('DELIVERED');
    expect(delivery).toMatchObject({ statusCode: 200, attempt: 1 });
    expect((await on.api.redeliver(on.merchant, delivery.id)).status).toBeLessThan(300);
    await eventually(async () => (await on.deliveries('?status=DELIVERED'))[0]?.attempt === 2, 'it is delivered again');
    const rotation = await on.api.rotate(on.merchant, id, { secret: NEXT_SECRET, overlapSeconds: 3_600 });
    expect(rotation.status).toBe(200);
    const during = anEvent('intent.paid', on.merchant);
    await on.service.announce(during);
    await eventually(async () => (await on.deliveries('?status=DELIVERED')).length === 2, 'both secrets sign');
    expect((await on.api.finishRotation(on.merchant, id)).status).toBe(200);
    const after = anEvent('intent.paid', on.merchant);
    await on.service.announce(after);
    await eventually(async () => (await on.deliveries('?status=DELIVERED')).length === 3, 'the new one does');

    expect(example.fulfilled()).toEqual([event, during, after].map(({ data }) => data.intent.id));
  });

  test('reports that its port is in use, without a misleading stack trace', async () => {
    const complaint = await complaintAbout(Number(new URL(example.url).port), language, installed.folder);

    expect(complaint).toMatch(/address already in use/i);
    expect(complaint).not.toContain('TypeError');
  });

  test('refuses forged requests, changed bodies, old requests and replays without the webhook-* headers', async () => {
    await on.register();
    await on.service.announce(anEvent('intent.paid', on.merchant));
    const genuine = await on.shop.waitFor(() => true);
    const id = String(idOf(genuine));
    const now = Math.floor(Date.now() / 1_000);
    const before = example.fulfilled();
    const send = async (
      seconds: number | string,
      secret: string,
      body: Buffer | string = genuine.rawBody,
      over: Record<string, string | undefined> = {},
    ) =>
      post(example.url, body.toString(), {
        'x-webhook-id': id,
        'x-webhook-timestamp': new Date(now * 1_000).toISOString(),
        'x-webhook-signature': sign(genuine.rawBody, secret),
        'webhook-id': id,
        'webhook-timestamp': String(seconds),
        'webhook-signature': signStandard(id, Number(seconds), genuine.rawBody, secret),
        ...over,
      });
    const changed = genuine.rawBody.toString().replace('"amount":"500.5"', '"amount":"5000.5"');
    const withoutStandard = { 'webhook-id': undefined, 'webhook-timestamp': undefined, 'webhook-signature': undefined };

    expect(await send(now, 'a secret that is not ours')).toMatchObject({ status: 401 });
    expect(await send(now, SECRET, changed)).toMatchObject({ status: 401 });
    expect(await send(now - 301, SECRET)).toMatchObject({ status: 401 });
    expect(await send('soon', SECRET)).toMatchObject({ status: 401 });
    for (const name of Object.keys(withoutStandard)) {
      expect(await send(now, SECRET, genuine.rawBody, { [name]: undefined })).toMatchObject({
        status: 401,
        text: expect.stringContaining(`${name} is missing`),
      });
    }
    // X-Webhook-Signature and X-Webhook-Timestamp are right: this is a captured request that is replayed.
    expect(await send(now, SECRET, genuine.rawBody, withoutStandard)).toMatchObject({
      status: 401,
      text: expect.stringContaining('webhook-id is missing'),
    });
    expect(example.fulfilled()).toEqual(before);
    expect(await send(now, SECRET)).toMatchObject({ status: 200 });
    await eventually(
      () => example.fulfilled().length > before.length,
      'the example writes that it fulfilled the intent',
    );
    expect(example.fulfilled()).toEqual([...before, bodyOf(genuine.rawBody).data.payment_intent_id]);
  });

  test.each([
    ['WEBHOOK_ENVIRONMENT is LIVE', { WEBHOOK_ENVIRONMENT: 'LIVE' }],
    ['WEBHOOK_ENVIRONMENT is not set', {}],
  ])('does not fulfil a SANDBOX event in a LIVE shop and fulfils a LIVE event: %s', async (_, settings) => {
    const live = await startExample(language, installed.folder, { WEBHOOK_SECRET: SECRET, ...settings });
    try {
      await on.register({ url: live.url });
      await on.service.announce(anEvent('intent.paid', on.merchant));
      expect(await on.settled('DELIVERED')).toMatchObject({ statusCode: 200 });
      expect(live.fulfilled()).toEqual([]);

      const intentId = randomUUID();
      const body = JSON.stringify({
        event: 'payment.paid',
        environment: 'LIVE',
        data: { payment_intent_id: intentId },
      });
      const [id, now] = [randomUUID(), Math.floor(Date.now() / 1_000)];
      const answer = await post(live.url, body, {
        'webhook-id': id,
        'webhook-timestamp': String(now),
        'webhook-signature': signStandard(id, now, body, SECRET),
      });
      expect(answer.status).toBe(200);
      await eventually(() => live.fulfilled().length > 0, 'the example writes that it fulfilled the intent');
      expect(live.fulfilled()).toEqual([intentId]);
    } finally {
      await live.stop();
    }
  });
});

const bodyOf = (rawBody: Buffer): { data: { payment_intent_id: string } } =>
  JSON.parse(rawBody.toString()) as { data: { payment_intent_id: string } };

async function post(url: string, body: string, headers: Record<string, string | undefined>) {
  const given = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...Object.fromEntries(given) },
    body,
  });
  return { status: response.status, text: await response.text() };
}
