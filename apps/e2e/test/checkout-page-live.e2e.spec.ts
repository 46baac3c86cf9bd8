import { eventually, promptly } from '@pay/testing';
import type { Browser, Page, Route } from 'playwright-core';
import { findings } from '../src/browser/check-page';
import { CheckoutStories } from '../src/browser/checkout-stories';
import { openBrowser, pictureOf } from '../src/browser/open-browser';
import { faultsOf, type Tab } from '../src/browser/read-page';
import { BUDGETS, weighPage } from '../src/browser/weigh-page';
import { ControlPlane } from '../src/control-plane';
import { ownMerchant } from '../src/own-merchant';
import { readSystem, type Merchant } from '../src/system';
import { newTrxId } from '../src/wallet-texts';

const RUN_DIRECTORY = process.env['E2E_RUN_DIRECTORY'] ?? '.run';
/** No server listens there; only the URL of the redirect is checked. */
const SHOP = 'http://127.0.0.1:9/back';

/**
 * A minute is the shortest time that a payment may have; the test clock takes half of it away once the pages are open.
 */
const SHORTEST = { ttlSeconds: 60 };
const ADVANCED_SECONDS = 30;
const WHOLE_TIME_MS = 70_000;

interface Ended extends Tab {
  readonly complaints: string[];
  readonly language: string;
  /** Disconnects the page from the server. */
  readonly cutOff: () => void;
  /** Connects the page to the server again. */
  readonly goOn: () => Promise<unknown>;
}

describe('the checkout page, while things happen', () => {
  const system = readSystem(RUN_DIRECTORY);
  let browser: Browser;
  let stories: CheckoutStories;
  /** In a separate shop, because the test clock is moved for a whole shop. */
  let endingStories: CheckoutStories;
  /** Intents with the shortest time to live, which expire while other tests run. */
  let ending: Awaited<ReturnType<typeof watchedToTheEnd>>;
  let ended: Ended[];

  beforeAll(async () => {
    browser = await openBrowser();
    stories = new CheckoutStories(system, browser, system.merchants[0] as Merchant);
    const hurried = await ownMerchant(system, new ControlPlane(RUN_DIRECTORY));
    endingStories = new CheckoutStories(system, browser, hurried);
    [ending, ...ended] = await Promise.all([watchedToTheEnd(), cutOffAtTheEnd('en'), cutOffAtTheEnd('bn')]);
    await endingStories.hurry(hurried.owner, ADVANCED_SECONDS);
    await Promise.all(ended.map(knowsTheNewEnd));
    // The other systems of a test run start and stop meanwhile.
  }, 300_000);
  afterAll(async () => {
    await Promise.all([stories.close(), endingStories.close()]);
    await browser.close();
  });
  afterEach(() => {
    const lasting = [ending, ...ended].map(({ page }) => page.context());
    const over = browser.contexts().filter((context) => !lasting.includes(context));
    return Promise.all(over.map((context) => context.close()));
  });

  const outcome = (page: Page, name: string) => page.locator(`[data-outcome=${name}]`).waitFor();
  /** The URL of the redirect, whether or not a server answers there. */
  const leaves = (page: Page) =>
    page
      .waitForRequest((request) => request.url().startsWith(SHOP))
      .then((request) => ({ to: new URL(request.url()), at: performance.now() }));

  test('shows a payment within a second of the SMS, also to a screen reader, then redirects to the shop with all four parameters', async () => {
    await promptly(1_000, async () => {
      const quick = await stories.intent();
      const { page } = await stories.open(stories.address(quick));
      await streaming(page);
      await stories.pay(quick);
      const accepted = performance.now();
      await outcome(page, 'paid');
      return performance.now() - accepted;
    });
    const intent = await stories.intent({ successUrl: `${SHOP}?basket=7` });
    const { page } = await stories.open(stories.address(intent));
    await streaming(page);
    const leaving = leaves(page);
    const paidAt = performance.now();
    await stories.pay(intent);
    await outcome(page, 'paid');
    await page.getByRole('status').filter({ hasText: 'Back to the shop in 3 seconds.' }).waitFor();
    await page.getByText('Back to the shop in', { exact: false }).first().waitFor();
    const left = await leaving;
    expect(left.at - paidAt).toBeGreaterThan(2_500);
    expect(Object.fromEntries(left.to.searchParams)).toEqual({
      basket: '7',
      payment_intent_id: intent.id,
      status: 'PAID',
      customer_reference: intent.customerReference,
      merchant_reference: 'ORDER-10442',
    });
  });

  test('does not redirect without a URL, and lets the customer stop a redirect', async () => {
    const [plain, leading] = await Promise.all([stories.intent(), stories.intent({ successUrl: SHOP })]);
    await Promise.all([stories.pay(plain), stories.pay(leading)]);
    await Promise.all([stories.says(plain, 'PAID'), stories.says(leading, 'PAID')]);
    // There are three seconds to press it; a page that was slow to come is opened again.
    const page = await eventually(async () => {
      const opened = await stories.open(stories.address(leading));
      await opened.page.getByRole('button', { name: 'Stay here' }).click({ timeout: 3_000 });
      return opened.page;
    }, 'a stream stays');
    const sent: string[] = [];
    page.context().on('request', (request) => sent.push(request.url()));
    expect(await page.locator('main').getByText('Back to the shop in').count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Go now' }).getAttribute('href')).toContain(SHOP);
    const other = await page.context().newPage();
    await other.goto(stories.address(plain));
    expect(await other.locator('[data-redirect]:not([hidden])').count()).toBe(0);
    await other.waitForTimeout(3_500);
    expect(sent.filter((url) => url.startsWith(SHOP))).toEqual([]);
  });

  test('with the keyboard alone: choose, copy, hand in a TrxID in small letters with spaces, and see it paid', async () => {
    const intent = await stories.intent({ paymentMethod: undefined });
    const { page } = await stories.open(stories.address(intent));
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const go = page.getByRole('button', { name: 'Continue' });
    expect(await page.locator('input:checked').count()).toBe(0);
    expect(await go.isDisabled()).toBe(true);

    await tabTo(page, 'input[type=radio]');
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowDown');
    expect(await go.isEnabled()).toBe(true);
    await tabTo(page, '.primary');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'bKash Send Money', exact: true }).waitFor();
    await tabTo(page, '#by-app');
    await page.keyboard.press('ArrowRight');
    await page.getByText('Dial *247# from your wallet’s number and choose Send Money.').waitFor();
    for (const copied of [await receiver(page), '1250.50', intent.customerReference]) {
      await tabTo(page, '.copy');
      await page.keyboard.press('Enter');
      await page.locator(':focus.done').waitFor();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(copied);
    }
    await tabTo(page, 'summary');
    await page.keyboard.press('Enter');
    await tabTo(page, '#trx');
    await page.keyboard.type('abc');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'is not a valid transaction id' }).waitFor();
    const paidAt = new Date();
    const trxId = newTrxId(paidAt);
    await page.keyboard.press('Control+A');
    await page.keyboard.type(`${trxId.slice(0, 4)} ${trxId.slice(4)} `.toLowerCase());
    expect(await findings(page)).toEqual([]);
    await page.screenshot({ path: pictureOf('keyboard-trx-en-390'), fullPage: true });
    await page.keyboard.press('Enter');
    await outcome(page, 'waiting');
    expect(await page.evaluate('document.activeElement.id')).toBe('outcome');
    await stories.pay(intent, { reference: null, trxId, at: paidAt });
    await outcome(page, 'paid');
    expect(await page.title()).toBe('Paid');
    // The receipt that was filled in by the script is the one that the server sends.
    const receipt = () => page.locator('.receipt').innerText();
    const filled = await receipt();
    for (const part of ['bKash Send Money', trxId, intent.customerReference]) expect(filled).toContain(part);
    expect(filled).toMatch(/\d+ \w{3} 20\d\d, \d+:\d\d [AP]M/);
    await page.reload();
    expect(await receipt()).toBe(filled);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.receipt').isVisible()).toBe(true);
    for (const part of ['[data-print]', '.language', '.back']) expect(await page.locator(part).isVisible()).toBe(false);
    await page.screenshot({ path: pictureOf('receipt-on-paper-en-390'), fullPage: true });
  });

  test('supports choosing, submitting a TrxID, waiting, seeing the result and returning without JavaScript', async () => {
    const intent = await stories.intent({ paymentMethod: undefined, cancelUrl: SHOP });
    const { page } = await stories.open(stories.address(intent), { javaScriptEnabled: false });
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Please choose how you want to pay.').waitFor();
    await page.getByText('bKash Cash Out').click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'After paying, enter the TrxID' }).waitFor();
    await page.getByRole('link', { name: 'Change' }).click();
    await page.getByText('bKash Send Money').click();
    await page.getByRole('button', { name: 'Continue' }).click();
    expect(await page.locator('.copy').first().isVisible()).toBe(false);
    await page.screenshot({ path: pictureOf('no-script-en-390'), fullPage: true });
    await page.getByRole('link', { name: 'Enter the TrxID' }).click();
    await page.getByLabel('TrxID from the SMS').fill('abc');
    await page.getByRole('button', { name: 'Check my payment' }).click();
    const error = await page.getByText('This is not a valid transaction id.').boundingBox();
    expect((error?.y ?? Infinity) + (error?.height ?? Infinity)).toBeLessThanOrEqual(844);
    const paidAt = new Date();
    const trxId = newTrxId(paidAt);
    await page.getByLabel('TrxID from the SMS').fill(` ${trxId.toLowerCase()}`);
    await page.getByRole('button', { name: 'Check my payment' }).click();
    await outcome(page, 'waiting');

    await page.getByRole('button', { name: 'Cancel payment' }).click();
    await outcome(page, 'cancelled');
    expect(await page.getByRole('link', { name: 'Go now' }).getAttribute('href')).toContain('status=CANCELLED');
    await page.getByRole('link', { name: 'Go back and pay' }).click();
    await outcome(page, 'waiting');
    await stories.pay(intent, { reference: null, trxId, at: paidAt });
    // The page reloads automatically; this customer is faster.
    await eventually(async () => {
      await page.reload();
      return (await page.locator('[data-outcome=paid]').count()) > 0;
    }, 'the page says paid');
    await outcome(page, 'paid');
  });

  test('shows that it is offline, and the current status when it is back', async () => {
    const intent = await stories.intent();
    const { page } = await stories.open(stories.address(intent));
    await streaming(page);
    await page.context().setOffline(true);
    await page.getByText('No internet connection.').first().waitFor();
    await page.screenshot({ path: pictureOf('offline-en-390') });
    await stories.pay(intent);
    await page.context().setOffline(false);
    await outcome(page, 'paid');
    expect(await page.locator('#offline').isVisible()).toBe(false);
  });

  test('shows the current status on a phone that was locked and offline before it counts down', async () => {
    const intent = await stories.intent({ successUrl: SHOP });
    const { page } = await stories.open(stories.address(intent));
    await streaming(page);
    const devtools = await page.context().newCDPSession(page);
    await page.context().setOffline(true);
    await devtools.send('Page.setWebLifecycleState', { state: 'frozen' });
    await stories.pay(intent);
    await stories.says(intent, 'PAID');
    const leaving = leaves(page);
    const wokenAt = performance.now();
    await devtools.send('Page.setWebLifecycleState', { state: 'active' });
    await page.context().setOffline(false);
    await outcome(page, 'paid');
    expect((await leaving).at - wokenAt).toBeGreaterThan(2_000);
  });

  test('a device that counted ten minutes too far in its sleep is set right by the server', async () => {
    const intent = await stories.intent();
    const { page } = await stories.open('about:blank');
    await page.addInitScript(
      'window.slept = 0; { const now = performance.now.bind(performance); performance.now = () => now() + window.slept; }',
    );
    await page.goto(stories.address(intent));
    await streaming(page);
    // The server may respond, and the page reload, before the test reads it. A function that is exposed by the page
    // object is not called then.
    const devtools = await page.context().newCDPSession(page);
    const isChecking = new Promise((resolve) => devtools.once('Runtime.bindingCalled', resolve));
    await devtools.send('Runtime.enable');
    await devtools.send('Runtime.addBinding', { name: 'isChecking' });
    await page.evaluate(`{
      const look = () => document.querySelector('[data-outcome=checking]') && window.isChecking('');
      new MutationObserver(look).observe(document.body, { childList: true, subtree: true, attributes: true });
      window.slept = 600_000;
    }`);
    await isChecking;
    await page.getByRole('heading', { name: 'bKash Send Money', exact: true }).waitFor();
    expect(await page.locator('#clock').textContent()).toMatch(/^(5:00|4:\d\d)$/);
  });

  test('skips the countdown when the customer goes back from the shop', async () => {
    const [cart, intent] = [`${SHOP}/cart`, await stories.intent({ successUrl: SHOP })];
    const { page } = await stories.open('about:blank');
    await page.route(`${SHOP}**`, (route) => route.fulfill({ contentType: 'text/html', body: 'the shop' }));
    await page.goto(cart);
    await page.goto(stories.address(intent));
    await streaming(page);
    await stories.pay(intent);
    // A customer who is too slow to press it is redirected.
    await page
      .getByRole('link', { name: 'Go now' })
      .click({ timeout: 3_000 })
      .catch(() => undefined);
    await page.waitForURL(`${SHOP}?**`);
    await page.goBack();
    expect(page.url()).toBe(cart);
  });

  test('polls without the event stream', async () => {
    const intent = await stories.intent();
    const { page } = await stories.open('about:blank');
    await page.route('**/events', (route) => route.abort());
    await page.goto(stories.address(intent));
    await stories.pay(intent);
    await outcome(page, 'paid');
  });

  test('shows the same in two tabs, after a reload and after going back', async () => {
    const intent = await stories.intent({ paymentMethod: undefined });
    const { page } = await stories.open(stories.address(intent));
    const second = await page.context().newPage();
    await second.goto(stories.address(intent));
    await page.getByText('bKash Send Money').click();
    await page.getByRole('button', { name: 'Continue' }).click();
    const how = (tab: Page) => tab.getByRole('heading', { name: 'bKash Send Money', exact: true }).waitFor();
    await how(page);
    await second.reload();
    await how(second);
    await page.getByRole('link', { name: 'Change' }).click();
    await page.getByText('How do you want to pay?').waitFor();
    await page.goBack();
    await how(page);
    await stories.api.confirm(intent.id, 'DKL4A1B2C3');
    await Promise.all([outcome(page, 'waiting'), outcome(second, 'waiting')]);
    await page.reload();
    await outcome(page, 'waiting');
    await stories.pay(intent);
    await Promise.all([outcome(page, 'paid'), outcome(second, 'paid')]);
    await page.reload();
    await outcome(page, 'paid');
  });

  test('refuses a TrxID of another payment with a reason, and sends a payment that differs to review', async () => {
    const [first, intent] = await Promise.all([stories.intent(), stories.intent()]);
    const paidAt = new Date();
    const trxId = newTrxId(paidAt);
    const opened = await stories.open(stories.address(first));
    await stories.pay(first, { trxId });
    await outcome(opened.page, 'paid');
    const { page } = await stories.open(stories.address(intent, '?language=en&step=trx'));
    await page.getByLabel('TrxID from the SMS').fill(trxId);
    await page.getByRole('button', { name: 'Check my payment' }).click();
    await page.getByRole('alert').filter({ hasText: 'already been used for another payment' }).waitFor();
    await page.getByLabel('TrxID from the SMS').fill('');
    await stories.pay(intent, { amount: '1250' });
    await outcome(page, 'review');
  });

  test('stops waiting for the SMS when the TrxID pays another order, and says so again after a reload', async () => {
    const [other, intent] = await Promise.all([stories.intent(), stories.intent()]);
    const paidAt = new Date();
    const trxId = newTrxId(paidAt);
    const { page } = await stories.open(stories.address(intent, '?language=en&step=trx'));
    await page.getByLabel('TrxID from the SMS').fill(trxId);
    await page.getByRole('button', { name: 'Check my payment' }).click();
    await outcome(page, 'waiting');
    await streaming(page);
    await stories.pay(other, { trxId, at: paidAt });
    await stories.says(other, 'PAID');
    const refusal = page.locator('#trx-answer .error', { hasText: 'already been used for another payment' });
    await refusal.waitFor();
    expect(await page.locator('[data-outcome=waiting]').count()).toBe(0);
    await page.goto(stories.address(intent));
    await refusal.waitFor();
  });

  test.each(['en', 'bn'] as const)(
    'stays within its weight at the first load in %s, and sends requests only to its own origin',
    async (language) => {
      const intent = await stories.intent();
      const url = stories.address(intent, `?language=${language}`);
      const { bytes, requests } = await weighPage(browser, url);
      const [page, ...others] = requests;
      const font = expect.stringMatching(
        new RegExp(`^${system.baseUrl}/checkout/assets/hind-siliguri-[0-9a-f]+[.]woff2$`),
      );

      expect(page).toBe(url);
      expect(others.sort()).toEqual([
        ...(language === 'bn' ? [font] : []),
        `${system.baseUrl}/v1/checkout/${intent.id}/events`,
      ]);
      expect(bytes).toBeLessThan(BUDGETS[language]);
    },
  );

  test('counts down by the server’s time, whatever the phone’s clock; the intent is settled before any redirect', async () => {
    const [minutes = NaN, seconds = NaN] = ending.clock.split(':').map(Number);
    // Between the server's remaining times before the page was requested and after its countdown was read.
    expect(minutes * 60 + seconds).toBeLessThanOrEqual(ending.leftBefore);
    expect(minutes * 60 + seconds).toBeGreaterThanOrEqual(ending.leftAfter);
    expect((await ending.left).searchParams.get('status')).toBe('EXPIRED');
    expect(ending.received.filter((outcome) => outcome !== 'checking')).toEqual(['expired']);
  });

  test('shows the end of the time immediately, without the server, and the result as soon as the server responds', async () => {
    const look = async ({ language, page, complaints, goOn }: Ended) => {
      await page.locator('[data-outcome=checking]').waitFor({ timeout: WHOLE_TIME_MS });
      expect(await faultsOf({ page, complaints }, `checking-${language}`)).toEqual([]);
      await goOn();
      await outcome(page, 'expired');
      // One full stop after the title.
      await page.locator('#said', { hasText: /^[^.।]+[.।] [^.।]/ }).waitFor({ state: 'attached' });
      expect(await faultsOf({ page, complaints }, `expired-${language}`)).toEqual([]);
      await page.reload();
      await outcome(page, 'expired');
    };
    await Promise.all(ended.map(look));
  });

  test('a TrxID that is entered too late is kept, and not shown as an error', async () => {
    const { page } = ended.find(({ language }) => language === 'en') as Ended;
    await page.getByText('Paid already? Enter the TrxID').click();
    await page.getByLabel('TrxID from the SMS').fill(newTrxId(new Date()));
    await page.getByRole('button', { name: 'Check my payment' }).click();
    await page.locator('#trx-answer .notice', { hasText: 'We have your transaction id.' }).waitFor();
    expect(await page.locator('[aria-invalid=true]').count()).toBe(0);
    expect(await page.getByText('place a new order').count()).toBe(0);
  });

  /** A page on a phone whose clock is two hours fast: its first countdown, its messages, and its redirect. */
  async function watchedToTheEnd() {
    const intent = await endingStories.intent({ ...SHORTEST, expiredUrl: SHOP });
    const { page } = await endingStories.open('about:blank');
    const received: string[] = [];
    await page.exposeFunction('tell', (name: string) => received.includes(name) || received.push(name));
    await page.addInitScript(`{
      const now = Date.now;
      Date.now = () => now() + 7_200_000;
      const look = () => { const shown = document.querySelector('[data-outcome]'); shown && window.tell(shown.dataset.outcome); };
      new MutationObserver(look).observe(document, { childList: true, subtree: true });
    }`);
    const request = page.waitForRequest((asked) => asked.url().startsWith(SHOP), { timeout: 2 * WHOLE_TIME_MS });
    const left = request.then((asked) => new URL(asked.url()));
    // A caller that waits receives the failure.
    left.catch(() => undefined);
    const leftBefore = await endingStories.secondsLeft(intent);
    await page.goto(endingStories.address(intent));
    const clock = (await page.locator('#clock').textContent()) ?? '';
    return { page, received, left, clock, leftBefore, leftAfter: await endingStories.secondsLeft(intent) };
  }

  /** A page that is disconnected from the server from the end of its time on. */
  async function cutOffAtTheEnd(language: string): Promise<Ended> {
    const intent = await endingStories.intent(SHORTEST);
    const { page, complaints } = await endingStories.open('about:blank');
    const kept: Route[] = [];
    let isReceived = true;
    await page.route('**/v1/checkout/**', (route) =>
      isReceived && !route.request().url().endsWith('/events') ? route.continue() : void kept.push(route),
    );
    await page.goto(endingStories.address(intent, `?language=${language}`));
    const cutOff = () => void (isReceived = false);
    const goOn = async () => {
      await page.route('**/v1/checkout/**', (route) => route.continue());
      await Promise.all(kept.map((route) => route.continue()));
    };
    return { page, complaints, language, cutOff, goOn };
  }

  /** Disconnects a page as soon as its countdown shows the shortened time. */
  async function knowsTheNewEnd({ page, cutOff }: Ended): Promise<void> {
    await eventually(async () => {
      const clock = (await page.locator('#clock').textContent()) ?? '';
      const seconds = clock.replace(/[০-৯]/g, (digit) => String(digit.charCodeAt(0) - 0x09e6));
      return /^0:/.test(seconds) && Number(seconds.slice(2)) <= ADVANCED_SECONDS;
    }, 'the countdown is shorter');
    cutOff();
  }

  const receiver = async (page: Page) => (await page.locator('.steps .value').first().textContent()) ?? '';

  /** Resolves when the page receives the event stream. */
  const streaming = (page: Page) => page.locator('main[data-live=true]').waitFor();

  /** Presses Tab until the thing in focus is one of these. */
  async function tabTo(page: Page, selector: string): Promise<void> {
    for (let presses = 0; presses < 40; presses += 1) {
      await page.keyboard.press('Tab');
      if (await page.evaluate<boolean>(`document.activeElement.matches(${JSON.stringify(selector)})`)) return;
    }
    throw new Error(`the keyboard does not reach ${selector}`);
  }
});
