import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliDecompressSync } from 'node:zlib';
import { METHODS_WITHOUT_REFERENCE } from '@pay/contracts';
import { ApiError, createKernel } from '@pay/http';
import { createLogger, createMetrics } from '@pay/runtime';
import { request } from 'undici';
import { aView } from '../../test/a-view';
import { mountCheckoutPage, type CheckoutPageDeps } from './checkout-page';

const ID = aView().id;

describe('the checkout page', () => {
  const lines: string[] = [];
  const log = createLogger({
    service: 'checkout-api',
    level: 'debug',
    destination: { write: (line) => void lines.push(line) },
  });
  const claims: string[] = [];
  const digits: (string | undefined)[] = [];
  let deps: { -readonly [Name in keyof CheckoutPageDeps]: CheckoutPageDeps[Name] };
  let server: Server;

  beforeEach(async () => {
    lines.length = 0;
    claims.length = 0;
    digits.length = 0;
    deps = {
      view: () => Promise.resolve(aView()),
      choose: () => Promise.resolve(),
      confirm: ({ trxId, intentId, payerDigits }) => {
        claims.push(trxId);
        digits.push(payerDigits);
        return Promise.resolve({
          matched: false,
          paymentIntentId: intentId,
          smsEventId: null,
          reason: 'trx_id_not_found',
        });
      },
      cancel: () => Promise.resolve({ redirectUrl: 'https://shop.example/basket?a=1&status=CANCELLED' }),
    };
    const mine: CheckoutPageDeps = {
      view: (id) => deps.view(id),
      choose: (id, method) => deps.choose(id, method),
      confirm: (claim) => deps.confirm(claim),
      cancel: (id) => deps.cancel(id),
    };
    const metrics = createMetrics('checkout-api');
    const app = createKernel({
      ...{ log, metrics, isUnavailable: (error) => String(error).includes('database') },
      mount: (mounted) => mountCheckoutPage(mounted, mine),
    });
    server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => server.close());

  async function get(path: string, headers: Record<string, string> = {}) {
    const { port } = server.address() as AddressInfo;
    const answer = await request(`http://127.0.0.1:${port}${path}`, { headers });
    const bytes = Buffer.from(await answer.body.arrayBuffer());
    return { status: answer.statusCode, headers: answer.headers, bytes, html: bytes.toString() };
  }
  async function post(path: string, form: string) {
    const { port } = server.address() as AddressInfo;
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await request(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body: form });
    return { status: answer.statusCode, location: answer.headers['location'], html: await answer.body.text() };
  }

  it('allows a browser to run and load only its own script and style', async () => {
    const { html, headers } = await get(`/checkout/${ID}?language=bn`);
    const policy = String(headers['content-security-policy']);
    const inline = [...html.matchAll(/<(style|script)>([^]*?)<\/\1>/g)].map(([, , text = '']) => text);

    expect(inline).toHaveLength(4);
    for (const text of inline) expect(policy).toContain(createHash('sha256').update(text).digest('base64'));
    expect(policy).not.toMatch(/unsafe|http|\*/);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(headers['cache-control']).toBe('no-store');
    expect(html).not.toMatch(/ (on\w+|style)="/);
  });

  it('escapes values of merchants and customers everywhere', async () => {
    const evil = `"><script>alert(1)</script><img src=x onerror=alert(2)>'`;
    deps.view = () =>
      Promise.resolve(
        aView({
          ...{ merchantName: evil, merchantReference: evil, customerReference: evil, receiverMsisdn: evil },
          branding: { logo: `data:image/svg+xml,${evil}`, colour: `#000000}</style>${evil}` },
        }),
      );
    const { html } = await get(`/checkout/${ID}?language=${encodeURIComponent(evil)}&step=${encodeURIComponent(evil)}`);

    expect(html).not.toMatch(/<script>alert|<img/);
    expect(html.match(/<script/g)).toHaveLength(1);
  });

  it('leads nowhere but to http and https', async () => {
    deps.view = () => Promise.resolve(aView({ status: 'PAID', redirectUrl: 'javascript:alert(1)' }));
    expect((await get(`/checkout/${ID}`)).html).not.toContain('href="javascript');
  });

  it('redirects to the shop without a script, but never from a form', async () => {
    const refreshOf = async (path = '') =>
      /http-equiv="refresh" content="([^"]*)"/.exec((await get(`/checkout/${ID}${path}`)).html)?.[1];

    expect(await refreshOf()).toBe('15');
    expect(await refreshOf('?step=trx')).toBeUndefined();
    expect(await refreshOf('?step=cancelled')).toContain('3;url=https://shop.example/basket');
    for (const paymentMethod of METHODS_WITHOUT_REFERENCE) {
      deps.view = () => Promise.resolve(aView({ paymentMethod }));
      expect(await refreshOf()).toBeUndefined();
    }
  });

  it('accepts a TrxID as it is entered, and responds with a page that can be reloaded', async () => {
    const answer = await post(`/checkout/${ID}/confirm?language=bn`, 'trxId=+dkl4+a1b2c3+');

    expect(claims).toEqual(['DKL4A1B2C3']);
    expect(answer).toMatchObject({ status: 303, location: `/checkout/${ID}?language=bn` });
  });

  it('shows the field for the digits of the payer only if the shop requires them', async () => {
    expect((await get(`/checkout/${ID}?step=trx`)).html).not.toContain('name="payerDigits"');

    deps.view = () => Promise.resolve(aView({ payerDigitsRequired: true }));

    expect((await get(`/checkout/${ID}?step=trx`)).html).toContain('Last 3 digits of the number you paid from');
    expect((await get(`/checkout/${ID}?step=trx&language=bn`)).html).toContain('শেষ ৩টি সংখ্যা');
  });

  test.each([
    ['345', '345'],
    ['01712000345', '345'],
    ['%E0%A7%A9%E0%A7%AA%E0%A7%AB', '345'],
  ])('accepts the digits of the payer entered as %s', async (typed, given) => {
    await post(`/checkout/${ID}/confirm`, `trxId=DKL4A1B2C3&payerDigits=${typed}`);

    expect(digits).toEqual([given]);
  });

  it('shows an error for digits of the payer that are not three digits', async () => {
    const { location } = await post(`/checkout/${ID}/confirm`, 'trxId=DKL4A1B2C3&payerDigits=34');

    expect(location).toBe(`/checkout/${ID}?language=en&step=trx&notice=malformed_digits`);
    expect(claims).toEqual([]);
  });

  test.each([
    ['duplicate_trx_id', 'step=trx&notice=used'],
    ['INTENT_EXPIRED', 'notice=kept_late'],
    ['INTENT_NOT_PENDING', 'notice=not_pending'],
  ] as const)('a claim refused as %s is explained', async (code, query) => {
    deps.confirm = () => Promise.reject(new ApiError(code));
    const { location } = await post(`/checkout/${ID}/confirm`, 'trxId=DKL4A1B2C3');
    expect(location).toBe(`/checkout/${ID}?language=en&${query}`);
  });

  test.each(['', 'trxId=%3Cb%3E', 'trxId=a&trxId=b', 'other=1'])(
    'a form of %j is answered with what a TrxID looks like',
    async (form) => {
      const { location } = await post(`/checkout/${ID}/confirm`, form);
      expect(location).toBe(`/checkout/${ID}?language=en&step=trx&notice=malformed`);
      expect((await get(String(location))).html).toMatch(/role="alert">[^<]*is not a valid/);
      expect(claims).toEqual([]);
    },
  );

  test.each(['method', 'confirm', 'cancel'])(
    'an address that a %s form was sent to leads back to the page',
    async (form) => {
      const { status, headers } = await get(`/checkout/${ID}/${form}?language=bn`);
      expect([status, headers['location']]).toEqual([303, `/checkout/${ID}?language=bn`]);
      expect((await get(`/checkout/not-an-id/${form}`)).html).toContain('Payment page not found');
    },
  );

  it('states without a script that it redirects to the shop in three seconds', async () => {
    deps.view = () => Promise.resolve(aView({ status: 'PAID', redirectUrl: 'https://shop.example/thanks' }));
    const { html } = await get(`/checkout/${ID}`);
    expect(html).toContain('content="3;url=https://shop.example/thanks"');
    expect(html).toMatch(/<p data-countdown[^>]*>Back to the shop in <b data-seconds[^>]*>3<\/b> s<\/p>/);
  });

  test.each([
    ['BKASH_PAYMENT', 'Payment', { asksForReference: true, asksForCounter: true }],
    ['BKASH_SEND_MONEY', 'Send Money', { asksForReference: true, asksForCounter: false }],
    ['BKASH_CASHOUT', 'Cash Out', { asksForReference: false, asksForCounter: false }],
    ['NAGAD_PAYMENT', 'Payment', { asksForReference: false, asksForCounter: false }],
    ['NAGAD_SEND_MONEY', 'Send Money', { asksForReference: true, asksForCounter: false }],
    ['NAGAD_CASHOUT', 'Cash Out', { asksForReference: false, asksForCounter: false }],
  ] as const)('shows the steps of %s for the app and for the menu', async (paymentMethod, menu, asks) => {
    deps.view = () => Promise.resolve(aView({ paymentMethod, paymentMethods: [paymentMethod] }));
    const { html } = await get(`/checkout/${ID}`);
    const stepsOf = (channel: string) => new RegExp(`<ol class="${channel}">(.*?)</ol>`).exec(html)?.[1] ?? '';
    for (const steps of [stepsOf('app'), stepsOf('ussd')]) {
      for (const part of [menu, '01712345678', 'PIN']) expect(steps).toContain(part);
      expect(steps.includes('K7MPQ2XW9R')).toBe(asks.asksForReference);
    }
    expect(stepsOf('ussd').includes('counter number')).toBe(asks.asksForCounter);
    expect(stepsOf('ussd')).toContain(paymentMethod.startsWith('BKASH') ? '*247#' : '*167#');
  });

  it('shows an error when a form was sent without a choice', async () => {
    const { location } = await post(`/checkout/${ID}/method`, '');
    expect((await get(String(location))).html).toContain('Please choose how you want to pay.');
  });

  it('chooses the only method by itself', async () => {
    let chosen: string | null = null;
    deps.choose = (_id, method) => Promise.resolve((chosen = method));
    deps.view = () =>
      Promise.resolve(
        chosen === null
          ? aView({ paymentMethod: null, receiverMsisdn: null, paymentMethods: ['NAGAD_PAYMENT'] })
          : aView({ paymentMethod: 'NAGAD_PAYMENT', paymentMethods: ['NAGAD_PAYMENT'] }),
      );
    expect((await get(`/checkout/${ID}`)).html).toContain('Nagad Payment');
    expect(chosen).toBe('NAGAD_PAYMENT');
  });

  test.each([
    ['/checkout/not-an-id', () => Promise.resolve(aView()), 404, 'Payment page not found'],
    [`/checkout/${ID}`, () => Promise.reject(new ApiError('NOT_FOUND')), 404, 'Payment page not found'],
    [`/checkout/${ID}`, () => Promise.reject(new Error('database away')), 503, 'Temporarily unavailable'],
    [`/checkout/${ID}`, () => Promise.reject(new ApiError('RATE_LIMITED')), 429, 'Too many attempts'],
    [`/checkout/${ID}`, () => Promise.reject(new TypeError('a fault')), 500, 'Something went wrong'],
  ])('%s that fails is a page that a person can read (%#)', async (path, view, status, title) => {
    deps.view = view;
    const answer = await get(path);
    expect(answer).toMatchObject({ status, headers: { 'content-type': 'text/html; charset=utf-8' } });
    expect(answer.html).toContain(title);
  });

  it('speaks the language of the browser where no intent tells it, and leads to the other one', async () => {
    deps.view = () => Promise.reject(new ApiError('RATE_LIMITED'));
    const { html } = await get(`/checkout/${ID}`, { 'accept-language': 'bn-BD,bn;q=0.9,en;q=0.5' });
    expect(html).toContain('<html lang="bn">');
    expect(html).toContain(`href="/checkout/${ID}?language=en"`);
    const chosen = await get(`/checkout/${ID}?language=en`, { 'accept-language': 'bn' });
    expect(chosen.html).toContain('<html lang="en">');
  });

  it('that cannot be shown now looks again, without a script by being loaded again', async () => {
    deps.view = () => Promise.reject(new Error('database away'));
    const { html } = await get(`/checkout/${ID}`);
    expect(html.replace(/<noscript>.*?<\/noscript>/, '')).not.toContain('http-equiv="refresh"');
    expect(html).toMatch(/<noscript>.*http-equiv="refresh" content="15".*<\/noscript>/);
    expect(html).toContain('setInterval(()=>fetch(location.href');
  });

  it('writes nothing of the intent into the log', async () => {
    await get(`/checkout/${ID}`);
    await post(`/checkout/${ID}/confirm`, 'trxId=DKL4A1B2C3');
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.join('')).not.toMatch(new RegExp(`${ID}|DKL4A1B2C3|01712345678|K7MPQ2XW9R|Boi Bazar`));
  });

  it('is compressed, and its font is kept for ever under the name of its content, with its licence', async () => {
    const { bytes, headers } = await get(`/checkout/${ID}?language=bn`, { 'accept-encoding': 'gzip, br' });
    const html = brotliDecompressSync(bytes).toString();
    const [address = ''] = /\/checkout\/assets\/[\w.-]+\.woff2/.exec(html) ?? [];
    const font = await get(address);
    const licence = await get(address.replace('.woff2', '.licence.txt'));

    expect(headers).toMatchObject({ 'content-encoding': 'br', vary: 'Accept-Encoding' });
    expect(font.headers).toMatchObject({
      'content-type': 'font/woff2',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    expect(licence.html).toContain('SIL Open Font License');
    expect(bytes.length + font.bytes.length).toBeLessThan(110_000);
  });
});
