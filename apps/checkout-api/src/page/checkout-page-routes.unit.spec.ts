import { createHash } from 'node:crypto';
import { brotliDecompressSync } from 'node:zlib';
import { METHODS_WITHOUT_REFERENCE, BusinessError, type CheckoutView } from '@pay/contracts';
import { aView } from '../../test/a-view';
import { servedPage } from '../../test/served-page';

const ID = aView().id;

describe('the checkout page', () => {
  const page = servedPage();
  const { claims, digits, get, lines, post, show } = page;

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
    show({
      merchantName: evil,
      merchantReference: evil,
      customerReference: evil,
      receiverMsisdn: evil,
      branding: { logo: `data:image/svg+xml,${evil}`, colour: `#000000}</style>${evil}` },
    });
    const { html } = await get(`/checkout/${ID}?language=${encodeURIComponent(evil)}&step=${encodeURIComponent(evil)}`);

    expect(html).not.toMatch(/<script>alert|<img/);
    expect(html.match(/<script/g)).toHaveLength(1);
  });

  it('links only to http and https', async () => {
    show({ status: 'PAID', redirectUrl: 'javascript:alert(1)' });
    expect((await get(`/checkout/${ID}`)).html).not.toContain('href="javascript');
  });

  it('redirects to the shop without a script, but never from a form', async () => {
    const refreshOf = async (path = '') =>
      /http-equiv="refresh" content="([^"]*)"/.exec((await get(`/checkout/${ID}${path}`)).html)?.[1];

    expect(await refreshOf()).toBe('15');
    expect(await refreshOf('?step=trx')).toBeUndefined();
    expect(await refreshOf('?step=cancelled')).toContain('3;url=https://shop.example/basket');
    for (const paymentMethod of METHODS_WITHOUT_REFERENCE) {
      show({ paymentMethod });
      expect(await refreshOf()).toBeUndefined();
    }
    show({ status: 'EXPIRED', redirectUrl: 'https://shop.example/back' });
    expect(await refreshOf()).toBeUndefined();
  });

  it('announces a redirect only if one follows', async () => {
    const countdownOf = async (change: Partial<CheckoutView>) => {
      show({ redirectUrl: 'https://shop.example/back', ...change });
      return /<p data-countdown[^>]*>/.exec((await get(`/checkout/${ID}`)).html)?.[0];
    };

    expect(await countdownOf({ status: 'PAID' })).toBe('<p data-countdown="true">');
    expect(await countdownOf({ status: 'EXPIRED' })).toBe('<p data-countdown="true" class="needs-script">');
    expect(await countdownOf({ status: 'EXPIRED', claim: 'late' })).toBeUndefined();
  });

  it('records that the browser returns to the shop, with an empty response', async () => {
    const noted: string[] = [];
    page.deps.noteReturn = (id) => Promise.resolve(void noted.push(id));

    expect(await post(`/checkout/${ID}/returned`, '')).toMatchObject({ status: 204, html: '' });
    expect((await post('/checkout/1/returned', '')).status).toBe(404);

    expect(noted).toEqual([ID]);
  });

  it('accepts a TrxID as it is entered, and responds with a page that can be reloaded', async () => {
    const answer = await post(`/checkout/${ID}/confirm?language=bn`, 'trxId=+dkl4+a1b2c3+');

    expect(claims).toEqual(['DKL4A1B2C3']);
    expect(answer).toMatchObject({ status: 303, location: `/checkout/${ID}?language=bn` });
  });

  it('shows the field for the digits of the payer only if the shop requires them', async () => {
    expect((await get(`/checkout/${ID}?step=trx`)).html).not.toContain('name="payerDigits"');

    show({ payerDigitsRequired: true });

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

    expect(location).toBe(`/checkout/${ID}?language=en&step=trx&notice=malformed_digits#trx-form`);
    expect(claims).toEqual([]);
  });

  test.each([
    ['duplicate_trx_id', 'step=trx&notice=used#trx-form'],
    ['INTENT_EXPIRED', 'notice=kept_late'],
    ['INTENT_NOT_PENDING', 'notice=not_pending'],
  ] as const)('explains a claim refused as %s', async (code, query) => {
    page.deps.confirm = () => Promise.reject(new BusinessError(code));
    const { location } = await post(`/checkout/${ID}/confirm`, 'trxId=DKL4A1B2C3');
    expect(location).toBe(`/checkout/${ID}?language=en&${query}`);
  });

  test.each(['', 'trxId=%3Cb%3E', 'trxId=a&trxId=b', 'other=1'])(
    'explains the format of a TrxID after a form of %j',
    async (form) => {
      const { location } = await post(`/checkout/${ID}/confirm`, form);
      expect(location).toBe(`/checkout/${ID}?language=en&step=trx&notice=malformed#trx-form`);
      expect((await get(String(location))).html).toMatch(/role="alert">[^<]*is not a valid/);
      expect(claims).toEqual([]);
    },
  );

  test.each(['method', 'confirm', 'cancel'])(
    'redirects GET requests of the URL of a %s form to the page',
    async (form) => {
      const { status, headers } = await get(`/checkout/${ID}/${form}?language=bn`);
      expect([status, headers['location']]).toEqual([303, `/checkout/${ID}?language=bn`]);
      expect((await get(`/checkout/not-an-id/${form}`)).html).toContain('Payment page not found');
    },
  );

  it('states without a script that it redirects to the shop in three seconds', async () => {
    show({ status: 'PAID', redirectUrl: 'https://shop.example/thanks' });
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
  ] as const)(
    'lists the steps and values of %s once, in the order of the wallet',
    async (paymentMethod, menu, asks) => {
      show({ paymentMethod, paymentMethods: [paymentMethod] });
      // Templates of possible outcomes follow.
      const [html = ''] = (await get(`/checkout/${ID}`)).html.split('<template');
      const [, steps = ''] = /<ol class="steps">(.*?)<\/ol>/.exec(html) ?? [];
      const text = steps.replace(/<span class="seen-not">.*?<\/span>|<[^>]*>/g, ' ');
      const expected = [
        paymentMethod.startsWith('BKASH') ? 'Open bKash, tap' : 'Open Nagad, tap',
        `${paymentMethod.startsWith('BKASH') ? '*247#' : '*167#'} from your wallet’s number and choose ${menu}`,
        ...['01712345678', '1250.50'],
        ...(asks.asksForReference ? ['K7MPQ2XW9R'] : []),
        ...(asks.asksForCounter ? ['counter number 1, if'] : []),
        'PIN',
        ...(asks.asksForReference ? [] : ['After paying, enter the']),
      ];

      expect(expected.map((part) => text.split(part).length - 1)).toEqual(expected.map(() => 1));
      const positions = expected.map((part) => text.indexOf(part));
      expect(positions).toEqual(positions.toSorted((one, other) => one - other));
      expect(html.includes('<details')).toBe(asks.asksForReference);
      expect(html.split('name="trxId"')).toHaveLength(2);
      expect(text.includes('counter number')).toBe(asks.asksForCounter);
      expect(html.includes('Waiting for your payment')).toBe(asks.asksForReference);
    },
  );

  describe('the choice of a method', () => {
    const options = (html: string) =>
      [...html.matchAll(/name="paymentMethod" value="(\w+)"/g)].map(([, value]) => value);
    beforeEach(() => {
      const paymentMethods = ['BKASH_PAYMENT', 'BKASH_CASHOUT', 'NAGAD_PAYMENT', 'NAGAD_SEND_MONEY'] as const;
      const view = aView({ paymentMethod: null, receiverMsisdn: null, paymentMethods: [...paymentMethods] });
      page.deps.view = () => Promise.resolve(view);
    });

    it('groups the methods by wallet and explains each, with none chosen', async () => {
      const { html } = await get(`/checkout/${ID}`);
      const [, bkash = '', nagad = ''] = html.split('role="group"');

      expect(options(bkash)).toEqual(['BKASH_PAYMENT', 'BKASH_CASHOUT']);
      expect(options(nagad)).toEqual(['NAGAD_PAYMENT', 'NAGAD_SEND_MONEY']);
      expect(bkash).toContain('No fee.');
      expect(bkash).toContain('Fee. Only if the shop asks.');
      expect(nagad).toContain('A small fee is possible.');
      expect(html).not.toMatch(/<input[^>]*name="paymentMethod"[^>]*checked/);
    });

    it('shows the last method of this browser first, and stores a method once it could be chosen', async () => {
      const choose = () => post(`/checkout/${ID}/method`, 'paymentMethod=NAGAD_SEND_MONEY');
      const cookie = String((await choose()).headers['set-cookie']);
      const { html } = await get(`/checkout/${ID}`, { cookie: `other=1; ${cookie.split(';')[0] ?? ''}` });
      page.deps.choose = () => Promise.reject(new BusinessError('RECEIVER_ACCOUNT_NOT_CONFIGURED'));

      expect(cookie).toMatch(
        /^last_method=NAGAD_SEND_MONEY; Max-Age=15552000; Path=\/checkout;.* HttpOnly; SameSite=Lax$/,
      );
      expect(options(html)).toEqual(['NAGAD_SEND_MONEY', 'NAGAD_PAYMENT', 'BKASH_PAYMENT', 'BKASH_CASHOUT']);
      expect(html.split('Used last time')).toHaveLength(2);
      expect(html).not.toMatch(/<input[^>]*name="paymentMethod"[^>]*checked/);
      expect((await choose()).headers).not.toHaveProperty('set-cookie');
      expect(options((await get(`/checkout/${ID}`, { cookie: 'last_method=ROCKET' })).html)[0]).toBe('BKASH_PAYMENT');
    });
  });

  it('is a receipt once it is paid, with a link to the shop', async () => {
    const support = { phone: null, email: null, website: 'https://boibazar.example/' };
    const paid = { paidAt: '2026-11-21T10:02:00.000Z', trxId: 'DKL4A1B2C3', paymentMethods: [], support };
    show({ status: 'PAID', ...paid });
    const { html } = await get(`/checkout/${ID}`);
    const [, main = ''] = /<main.*?>(.*)<\/main>/.exec(html) ?? [];
    const bangla = await get(`/checkout/${ID}?language=bn`);

    for (const part of ['Boi Bazar', 'Tk 1,250.50', 'ORDER-7', 'bKash Send Money', 'DKL4A1B2C3', 'K7MPQ2XW9R']) {
      expect(main).toContain(part);
    }
    expect(main).toContain('21 Nov 2026, 4:02 PM');
    expect(bangla.html).toContain('২১ নভেম্বর ২০২৬, বিকেল ৪:০২');
    expect(main).toContain('data-print');
    expect(main).toMatch(/href="https:\/\/boibazar.example\/"><span>Back to <bdi>Boi Bazar/);
  });

  test.each([
    ['EXPIRED', 'This payment has expired.', 'place a new order'],
    ['FAILED', 'This payment cannot be completed', 'Place a new order'],
    ['REJECTED', 'Payment not accepted', 'Contact the shop'],
  ] as const)(
    'explains for %s what happened, what to do, and how to contact the shop',
    async (status, title, advice) => {
      const support = {
        phone: '+880 9600-000000',
        email: 'help@boibazar.example',
        website: 'https://boibazar.example',
      };
      show({ status, paymentMethods: [], support });
      const { html } = await get(`/checkout/${ID}`);
      const [, outcome = ''] = /<section class="card outcome(.*?)<\/section>/.exec(html) ?? [];

      for (const part of [title, advice, 'Do not pay', 'href="tel:+8809600000000"', 'Back to'])
        expect(outcome).toContain(part);
      expect(outcome).toContain('href="mailto:help@boibazar.example"');
      expect(outcome).toContain('href="https://boibazar.example"');
    },
  );

  it('leads from a cancelled payment back to the shop, by cancelUrl or else by its website', async () => {
    const cancelled = async (redirectUrl: string | null, website: string | null) => {
      page.deps.cancel = () => Promise.resolve({ redirectUrl });
      show({ support: { phone: null, email: null, website } });
      const { html } = await get(`/checkout/${ID}?step=cancelled`);
      const [, outcome = ''] = /<section class="card outcome(.*?)<\/section>/.exec(html) ?? [];
      return [...outcome.matchAll(/<a([^>]*)>(.*?)<\/a>/g)].map(([, attributes = '', text = '']) => [
        /href="([^"]*)"/.exec(attributes)?.[1],
        text.replace(/<[^>]*>/g, ''),
        attributes.includes('class="button"'),
      ]);
    };
    const pay = [`/checkout/${ID}?language=en`, 'Go back and pay'];
    const [cart, website] = ['https://shop.example/cart', 'https://shop.example'];

    expect(await cancelled(cart, website)).toEqual([
      [cart, 'Go now', true],
      [...pay, false],
    ]);
    expect(await cancelled(null, website)).toEqual([
      [undefined, 'Go now', true],
      [website, 'Back to Boi Bazar', true],
      [...pay, false],
    ]);
    expect(await cancelled(null, null)).toEqual([
      [undefined, 'Go now', true],
      [...pay, true],
    ]);
  });

  it('links to a website only by https, and omits contacts that are not set', async () => {
    const website = 'javascript:alert(1)';
    show({ status: 'EXPIRED', support: { phone: null, email: null, website } });
    expect((await get(`/checkout/${ID}`)).html).not.toContain('href="javascript');

    show({});
    expect((await get(`/checkout/${ID}`)).html).not.toContain('Questions?');
  });

  test.each([200, 404, 429, 500, 503])(
    'a page with status %i has a header, and a footer that warns about PIN and OTP',
    async (status) => {
      const errors: Record<number, Error> = {
        404: new BusinessError('NOT_FOUND'),
        429: new BusinessError('RATE_LIMITED'),
        500: new TypeError('a fault'),
        503: new Error('database away'),
      };
      const error = errors[status];
      if (error) page.deps.view = () => Promise.reject(error);
      const { html } = await get(`/checkout/${ID}`);

      expect(html).toMatch(/<header>.*hreflang="bn".*<\/header><main/);
      expect(html).toMatch(/<footer>.*We never ask for your PIN or OTP\..*<\/footer>/);
    },
  );

  it.each(['/checkout', '/checkout/nonsense', `/checkout/${ID}/nonsense`])(
    'answers GET %s with a page that leads to the other language',
    async (path) => {
      const { status, html } = await get(path, { 'accept-language': 'bn' });
      const [, address] = /hreflang="en" href="([^"]*)"/.exec(html) ?? [];
      const other = await get(`${path}${address ?? ''}`, { 'accept-language': 'bn' });

      expect({ status, address }).toEqual({ status: 404, address: '?language=en' });
      expect(other.status).toBe(404);
      expect(other.html).toContain('Payment page not found');
      expect(other.html).not.toContain('Try again');
    },
  );

  it('answers a form that does not exist in the format of the API', async () => {
    const { status, html } = await post(`/checkout/${ID}/nonsense`, '');
    expect([status, JSON.parse(html)]).toEqual([404, { code: 'NOT_FOUND', message: 'No such route.' }]);
  });

  it('shows an error below its field', async () => {
    show({ payerDigitsRequired: true });
    const answerOf = async (notice: string, id: string) =>
      new RegExp(`<div id="${id}" role="alert">(.*?)</div>`).exec(
        (await get(`/checkout/${ID}?step=trx&notice=${notice}`)).html,
      )?.[1];

    expect(await answerOf('malformed', 'trx-answer')).toMatch(/<p class="error"/);
    expect(await answerOf('malformed', 'payer-digits-answer')).toBe('');
    expect(await answerOf('malformed_digits', 'payer-digits-answer')).toMatch(/<p class="error"/);
    expect(await answerOf('malformed_digits', 'trx-answer')).toBe('');
    expect(await answerOf('busy', 'trx-answer')).toMatch(/<p class="notice"/);
  });

  it.each([
    ['kept_late', 'We have your transaction id. The payment time was over', false],
    ['malformed', 'This is not a valid transaction id', true],
  ])('shows the result of a TrxID once after the time is over: %s', async (notice, sentence, isOpen) => {
    show({ status: 'EXPIRED' });

    const { html } = await get(`/checkout/${ID}?language=en&notice=${notice}`);

    expect(html.split(`>${sentence}`)).toHaveLength(2);
    expect(/<details[^>]* open/.test(html)).toBe(isOpen);
    // The shop will check a stored TrxID, so the page must not ask for another order.
    const [shown = ''] = html.split('<template');
    expect(shown.includes('place a new order')).toBe(isOpen);
  });

  it.each(['waiting', 'late'] as const)('asks for no new order if a TrxID is %s after the end', async (claim) => {
    show({ status: 'EXPIRED', claim });

    const { html } = await get(`/checkout/${ID}?step=trx&notice=malformed`);

    expect(html).toMatch(/<p class="notice" role="alert" data-kept>We have your transaction id.* Do not pay again/);
    expect(html).not.toContain('place a new order');
  });

  it('shows an error when a form was sent without a choice', async () => {
    const { location } = await post(`/checkout/${ID}/method`, '');
    expect((await get(String(location))).html).toContain('Please choose how you want to pay.');
  });

  it('chooses the only method automatically', async () => {
    let chosen: string | null = null;
    page.deps.choose = (_id, method) => Promise.resolve((chosen = method));
    page.deps.view = () =>
      Promise.resolve(
        chosen === null
          ? aView({ paymentMethod: null, receiverMsisdn: null, paymentMethods: ['NAGAD_PAYMENT'] })
          : aView({ paymentMethod: 'NAGAD_PAYMENT', paymentMethods: ['NAGAD_PAYMENT'] }),
      );
    expect((await get(`/checkout/${ID}`)).html).toContain('Nagad Payment');
    expect(chosen).toBe('NAGAD_PAYMENT');
  });

  test.each([
    ['/checkout', () => Promise.resolve(aView()), 404, 'Payment page not found'],
    ['/checkout/', () => Promise.resolve(aView()), 404, 'Payment page not found'],
    ['/checkout/not-an-id', () => Promise.resolve(aView()), 404, 'Payment page not found'],
    [`/checkout/${ID}`, () => Promise.reject(new BusinessError('NOT_FOUND')), 404, 'Payment page not found'],
    [`/checkout/${ID}`, () => Promise.reject(new Error('database away')), 503, 'Temporarily unavailable'],
    [`/checkout/${ID}`, () => Promise.reject(new BusinessError('RATE_LIMITED')), 429, 'Too many attempts'],
    [`/checkout/${ID}`, () => Promise.reject(new TypeError('a fault')), 500, 'Something went wrong'],
  ])('renders a readable page when %s fails (%#)', async (path, view, status, title) => {
    page.deps.view = view;
    const answer = await get(path);
    expect(answer).toMatchObject({ status, headers: { 'content-type': 'text/html; charset=utf-8' } });
    expect(answer.html).toContain(title);
  });

  it('uses the language of the browser if no intent defines one, and links to the other one', async () => {
    page.deps.view = () => Promise.reject(new BusinessError('RATE_LIMITED'));
    const { html } = await get(`/checkout/${ID}`, { 'accept-language': 'bn-BD,bn;q=0.9,en;q=0.5' });
    expect(html).toContain('<html lang="bn">');
    expect(html).toContain(`href="/checkout/${ID}?language=en"`);
    const chosen = await get(`/checkout/${ID}?language=en`, { 'accept-language': 'bn' });
    expect(chosen.html).toContain('<html lang="en">');
  });

  it('retries when it is temporarily unavailable, without a script by reloading', async () => {
    page.deps.view = () => Promise.reject(new Error('database away'));
    const { html } = await get(`/checkout/${ID}`);
    expect(html.replace(/<noscript>.*?<\/noscript>/, '')).not.toContain('http-equiv="refresh"');
    expect(html).toMatch(/<noscript>.*http-equiv="refresh" content="15".*<\/noscript>/);
    expect(html).toContain('setInterval(()=>fetch(location.href');
  });

  it('writes no data of the intent into the log', async () => {
    await get(`/checkout/${ID}`);
    await post(`/checkout/${ID}/confirm`, 'trxId=DKL4A1B2C3');
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.join('')).not.toMatch(new RegExp(`${ID}|DKL4A1B2C3|01712345678|K7MPQ2XW9R|Boi Bazar`));
  });

  it('is compressed, and its font is cached forever by the hash in its name, with its licence', async () => {
    const { bytes, headers } = await get(`/checkout/${ID}?language=bn`, { 'accept-encoding': 'gzip, br' });
    const html = brotliDecompressSync(bytes).toString();
    const [address = ''] = /\/checkout\/assets\/[\w.-]+\.woff2/.exec(html) ?? [];
    const font = await get(address);
    const licence = await get('/checkout/assets/hind-siliguri.licence.txt');

    expect(headers).toMatchObject({ 'content-encoding': 'br', vary: 'Accept-Encoding' });
    expect(font.headers).toMatchObject({
      'content-type': 'font/woff2',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    expect(licence.html).toContain('SIL Open Font License');
    expect(bytes.length + font.bytes.length).toBeLessThan(110_000);
  });
});
