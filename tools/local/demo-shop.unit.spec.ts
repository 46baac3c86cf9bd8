import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { openDemoShop, type DemoShop } from './demo-shop';
import type { SeededMerchant } from './seed-file';

const ID = '01935002-0000-7000-8000-00000000b001';

describe('the demo shop', () => {
  const seen: { url: string; body: Record<string, unknown>; key: string }[] = [];
  let gateway: Server;
  let baseUrl: string;
  let shop: DemoShop;

  beforeAll(async () => {
    gateway = createServer((request, response) => {
      void (async () => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk as Buffer);
        const key = String(request.headers['x-api-key'] ?? request.headers['x-device-key']);
        seen.push({ url: request.url ?? '', body: JSON.parse(Buffer.concat(chunks).toString()), key });
        const intent = { id: ID, customerReference: 'TEA-77', receiverMsisdn: '01712345678' };
        response.end(JSON.stringify({ ...intent, checkoutUrl: `${baseUrl}/checkout/${ID}` }));
      })();
    });
    gateway.listen(0, '127.0.0.1');
    await once(gateway, 'listening');
    baseUrl = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
    const sandbox = { apiKey: 'sk_test_a', deviceKey: 'dk_test_a' };
    shop = await openDemoShop(baseUrl, { name: 'Tea & Co', sandbox } as SeededMerchant);
  });
  afterAll(async () => {
    await shop.close();
    gateway.close();
  });

  it('makes an order, and pays it with one click by the SMS that the phone would forward', async () => {
    const html = await (await fetch(shop.url)).text();
    const [, action = ''] = /<form method="post" action="([^"]+)"/.exec(html) ?? [];
    const paid = await fetch(new URL(action, shop.url), { method: 'POST', redirect: 'manual' });

    expect(html).toContain('Demo order at Tea &#38; Co');
    expect(paid.status).toBe(303);
    expect(paid.headers.get('location')).toBe(`${baseUrl}/checkout/${ID}`);
    expect(seen.map(({ url, key }) => [url, key])).toEqual([
      ['/v1/payments/intents', 'sk_test_a'],
      ['/v1/sms-events/incoming', 'dk_test_a'],
    ]);
    expect(seen[1]?.body).toMatchObject({
      sender: 'bKash',
      receiverMsisdn: '01712345678',
      message: expect.stringMatching(/^You have received Tk 1,250\.50 from 01\d{9}\. Ref TEA-77\./),
    });
  });

  it('pays no order that it has not made', async () => {
    const other = new URL('/orders/01935002-0000-7000-8000-00000000b002/pay', shop.url);

    expect((await fetch(other, { method: 'POST' })).status).toBe(404);
  });
});
