import { sign, signStandard } from '@pay/signing';
import { eventually } from '@pay/testing';
import { installPackage, LANGUAGES, startExample, type RunningExample } from './merchant-examples';
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
      ...{ WEBHOOK_SECRET: SECRET, WEBHOOK_NEXT_SECRET: NEXT_SECRET },
    });
    example = started;
  }, 180_000);
  // Undefined where the language is missing: then that, and what to install, is what fails.
  afterAll(() => started?.stop());

  test('proves itself, fulfils once however often it is told, and goes through a rotation', async () => {
    const id = await on.register({ url: example.url });
    expect((await on.api.verify(on.merchant, id)).body).toMatchObject({ isVerified: true });
    const event = anEvent('intent.paid', on.merchant);
    await on.service.announce(event);
    const delivery = await on.settled('DELIVERED');
    expect(delivery).toMatchObject({ statusCode: 200, attempt: 1 });
    expect((await on.api.redeliver(on.merchant, delivery.id)).status).toBeLessThan(300);
    await eventually(
      async () => (await on.deliveries('?status=DELIVERED'))[0]?.attempt === 2,
      'it is delivered once more',
    );
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

  test('refuses what nobody of ours has sent, and what is sent again later', async () => {
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
      over = {},
    ) => {
      const headers = {
        'content-type': 'application/json',
        'x-webhook-id': id,
        'x-webhook-timestamp': new Date(now * 1_000).toISOString(),
        'x-webhook-signature': sign(genuine.rawBody, secret),
        'webhook-id': id,
        'webhook-timestamp': String(seconds),
        'webhook-signature': signStandard(id, Number(seconds), genuine.rawBody, secret),
        ...over,
      };
      const answer = await fetch(example.url, { method: 'POST', headers, body: body.toString() });
      return { status: answer.status, text: await answer.text() };
    };
    const changed = genuine.rawBody.toString().replace('"amount":"500.5"', '"amount":"5000.5"');

    expect(await send(now, 'a stranger’s secret')).toMatchObject({ status: 401 });
    expect(await send(now, SECRET, changed)).toMatchObject({ status: 401 });
    expect(await send(now - 301, SECRET)).toMatchObject({ status: 401 });
    expect(await send('soon', SECRET)).toMatchObject({ status: 401 });
    expect(await send(now, SECRET, genuine.rawBody, { 'webhook-signature': '' })).toMatchObject({
      status: 401,
      text: expect.stringContaining('webhook-signature'),
    });
    expect(example.fulfilled()).toEqual(before);
    expect(await send(now, SECRET)).toMatchObject({ status: 200 });
  });
});
