import { eventually } from '@pay/testing';
import type { Browser, Page } from 'playwright-core';
import { CheckoutStories, type PageIntent } from '../src/browser/checkout-stories';
import { openBrowser } from '../src/browser/open-browser';
import { ControlPlane } from '../src/control-plane';
import { ownMerchant } from '../src/own-merchant';
import { ServiceDatabases } from '../src/service-databases';
import { readSystem } from '../src/system';
import { newTrxId } from '../src/wallet-texts';

const RUN_DIRECTORY = process.env['E2E_RUN_DIRECTORY'] ?? '.run';
/** No server listens there; only the URL of the redirect is checked. */
const SHOP = 'http://127.0.0.1:9/back';
const SHORTEST = { ttlSeconds: 60 };
const ADVANCED_SECONDS = 30;
const WHOLE_TIME_MS = 70_000;
const LONGER_THAN_THE_COUNTDOWN_MS = 10_000;

describe('the checkout page, when the time ends before a TrxID is decided', () => {
  const system = readSystem(RUN_DIRECTORY);
  const databases = new ServiceDatabases(system);
  let browser: Browser;
  let stories: CheckoutStories;
  let claimed: Awaited<ReturnType<typeof claimedInTime>>;
  let typed: Awaited<ReturnType<typeof typedAtTheEnd>>;

  beforeAll(async () => {
    browser = await openBrowser();
    const merchant = await ownMerchant(system, new ControlPlane(RUN_DIRECTORY));
    stories = new CheckoutStories(system, browser, merchant);
    [claimed, typed] = await Promise.all([claimedInTime(), typedAtTheEnd()]);
    await stories.hurry(merchant.owner, ADVANCED_SECONDS);
  }, 300_000);
  afterAll(async () => {
    await databases.close();
    await stories.close();
    await browser.close();
  });

  const expired = (page: Page) => page.locator('[data-outcome=expired]').waitFor({ timeout: WHOLE_TIME_MS });

  test('a TrxID that was entered in time is kept after the end, also when its SMS comes later', async () => {
    const { page, intent, trxId, at, sent } = claimed;
    const isKept = async () => {
      await expired(page);
      await page.locator('.outcome > .notice', { hasText: 'We have your transaction id.' }).waitFor();
      expect(await page.getByText('place a new order').count()).toBe(0);
    };

    await isKept();
    await page.clock.fastForward(LONGER_THAN_THE_COUNTDOWN_MS);
    await isKept();
    await page.reload();
    await isKept();
    await page.clock.fastForward(LONGER_THAN_THE_COUNTDOWN_MS);
    await isKept();
    expect(sent).toEqual([]);
    await stories.pay(intent, { reference: null, trxId, at });
    await eventually(() => hasLatePayment(intent), 'the late SMS is decided');
    await page.reload();
    await isKept();
  });

  test('an open form for a TrxID and its input stay at the end and after a reload, without a redirect', async () => {
    const { page, sent } = typed;
    const field = page.getByLabel('TrxID from the SMS');

    await expired(page);
    await page.clock.fastForward(LONGER_THAN_THE_COUNTDOWN_MS);
    expect(await field.inputValue()).toBe('DKL4A1');
    expect(await page.evaluate('document.activeElement.id')).toBe('trx');

    // Stopped, so that the countdown does not end before the form is opened on a slow machine.
    await page.clock.pauseAt(Date.now() + WHOLE_TIME_MS);
    await page.reload();
    await page.getByText('Paid already? Enter the TrxID').click();
    await page.locator('[data-countdown]').waitFor({ state: 'detached' });
    await field.fill('DKL4A1B2C3');
    await page.clock.runFor(LONGER_THAN_THE_COUNTDOWN_MS);
    expect(await field.inputValue()).toBe('DKL4A1B2C3');
    expect(sent).toEqual([]);
  });

  async function hasLatePayment({ id }: PageIntent): Promise<boolean> {
    const sql = `select from reconciler.matches where payment_intent_id = $1 and reason = 'late_payment'`;
    return (await databases.query('reconciler', sql, [id])).rowCount === 1;
  }

  async function claimedInTime() {
    const { page, intent, sent } = await opened();
    const at = new Date();
    const trxId = newTrxId(at);
    await stories.api.confirm(intent.id, trxId);
    await page.locator('[data-outcome=waiting]').waitFor();
    return { page, intent, trxId, at, sent };
  }

  async function typedAtTheEnd() {
    const { page, sent } = await opened();
    await page.getByText('Paid, but nothing happens? Enter the TrxID').click();
    await page.getByLabel('TrxID from the SMS').fill('DKL4A1');
    return { page, sent };
  }

  /** A page with a clock that can be moved, and its requests to the shop. */
  async function opened() {
    const intent = await stories.intent({ ...SHORTEST, expiredUrl: SHOP });
    const { page } = await stories.open('about:blank');
    await page.clock.install();
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.url().startsWith(SHOP)) sent.push(request.url());
    });
    await page.goto(stories.address(intent));
    return { page, intent, sent };
  }
});
