import type { Browser } from 'playwright-core';
import { CheckoutStories } from '../../src/browser/checkout-stories';
import { openBrowser } from '../../src/browser/open-browser';
import { holdDown } from '../../src/hold-down';
import { readSystem, type Merchant } from '../../src/system';

const RUN_DIRECTORY = process.env['E2E_RUN_DIRECTORY'] ?? '.run';

describe('the checkout page, while its server is down', () => {
  const system = readSystem(RUN_DIRECTORY);
  let browser: Browser;
  let stories: CheckoutStories;
  let start: (() => Promise<void>) | undefined;

  beforeAll(async () => {
    browser = await openBrowser();
    stories = new CheckoutStories(system, browser, system.merchants[0] as Merchant);
  });
  afterAll(async () => {
    // Also after a failure: the specs that follow need the server.
    await start?.();
    await stories.close();
    await browser.close();
  });

  test('waits, and shows the payment as paid without a reload once the server is back', async () => {
    const intent = await stories.intent();
    const { page } = await stories.open(stories.address(intent));
    await page.locator('main[data-live=true]').waitFor();

    start = await holdDown(RUN_DIRECTORY, 'checkout-api');
    await page.locator('main[data-live=false]').waitFor();
    expect(await page.getByText('Waiting for your payment').isVisible()).toBe(true);
    await stories.pay(intent);
    await start();

    await page.locator('[data-outcome=paid]').waitFor();
  });
});
