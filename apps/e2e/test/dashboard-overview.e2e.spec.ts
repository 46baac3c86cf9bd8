import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { eventually } from '@pay/testing';
import { awaitDay } from '../src/await-day';
import { dashboardStories } from '../src/browser/dashboard-set-up';
import { DESKTOP, payByReference, payIntent, PHONE, type DashboardTab } from '../src/browser/dashboard-stories';
import type { Intent } from '../src/merchant-client';

describe('the overview of the dashboard', () => {
  const { api, ownShop, openTab, callerFor } = dashboardStories();
  let paid: Intent;

  beforeAll(async () => {
    await awaitDay(150_000);
    paid = await pay();
  }, 300_000);

  async function pay(): Promise<Intent> {
    const intent = await payByReference(api, ownShop(), randomUUID().slice(0, 13));
    await eventually(
      async () => ((await api.getIntent(ownShop().sandbox, intent.id)).body.status === 'PAID' ? true : undefined),
      'the intent is PAID',
    );
    return intent;
  }
  const card = (tab: DashboardTab, name: string) => tab.page.locator(`[data-card=${name}]`);

  test('is the page after the log-in and shows the money, the phones and what waits, of one environment', async () => {
    const tab = await openTab();
    await tab.goto();
    await tab.logIn(ownShop().owner);
    await tab.heading('Overview').waitFor();

    // A new payment is among the decisions of the chain some seconds after it was made.
    await eventually(
      async () => {
        await tab.page.reload();
        await card(tab, 'automatic').locator('[data-value]').waitFor();
        return (await card(tab, 'automatic').getByText('100%').isVisible()) || undefined;
      },
      'the payment is counted',
      { timeoutMs: 30_000 },
    );
    await card(tab, 'received').getByText('Tk 500.00').waitFor();
    await card(tab, 'speed')
      .getByText(/^\d+(\.\d{1,2})? s$/)
      .waitFor();
    await card(tab, 'exceptions').getByText('Nothing needs a decision.').waitFor();
    await card(tab, 'phones').getByText('of 1 online').waitFor();
    await card(tab, 'webhooks').getByText('No endpoint yet.').waitFor();
    await tab.page.locator('.uplot canvas').waitFor();
    await tab.page.getByRole('row', { name: 'bKash Send Money 1 1 Tk 500.00' }).waitFor();

    await tab.page.getByRole('link', { name: 'LIVE', exact: true }).click();

    await tab.page.getByText('No orders today or a week before.').waitFor();
    await card(tab, 'received').getByText('Tk 0.00').first().waitFor();
    expect(paid.status).toBe('PENDING');
    expect(tab.complaints.filter((line) => !line.includes('401'))).toEqual([]);
  });

  test('shows a payment that is made while a list is open, without a reload', async () => {
    const tab = await openTab();
    await tab.goto('/sandbox/payments');
    await tab.logIn(ownShop().owner);
    await tab.page.getByText('in total').waitFor();

    const intent = await pay();

    const row = tab.page.getByRole('row').filter({ hasText: intent.customerReference });
    await row.getByText('Paid').waitFor({ timeout: 20_000 });
  });

  test('shows the checkout activity of a payment: view, method, and the return to the shop', async () => {
    const shop = 'https://shop.example/thanks';
    const fields = { amount: 500, idempotencyKey: randomUUID(), successUrl: shop };
    const { body: intent } = await api.createIntent(ownShop().sandbox, fields);
    const customer = await openTab({ viewport: PHONE });
    await customer.page.route(`${shop}**`, (route) => route.fulfill({ contentType: 'text/html', body: 'the shop' }));
    await customer.goto(`/../checkout/${intent.id}`);
    const method = customer.page.getByText('bKash Send Money').first();
    await method.waitFor();
    const goOn = customer.page.getByRole('button', { name: 'Continue' });
    if (await goOn.isVisible()) {
      await method.click();
      await goOn.click();
    }
    await customer.page.getByRole('heading', { name: 'bKash Send Money', exact: true }).waitFor();
    const { receiverMsisdn } = (await api.getIntent(ownShop().sandbox, intent.id)).body;
    await payIntent(api, ownShop(), { ...intent, receiverMsisdn });
    await customer.page.waitForURL(`${shop}?**`);

    const tab = await openTab();
    await tab.goto(`/sandbox/payments/${intent.id}`);
    await tab.logIn(ownShop().owner);

    await tab.page.locator('[data-event=returned]').getByText('Paid').waitFor({ timeout: 30_000 });
    await tab.page.locator('[data-event=method]').getByText('bKash Send Money').waitFor();
    const events = await tab.page
      .locator('[data-event]')
      .evaluateAll((items: { dataset: { event?: string } }[]) => items.map(({ dataset }) => dataset.event));
    expect(events.slice(0, 4)).toEqual(['created', 'viewed', 'method', 'sms']);
    expect(events.filter((event) => event === 'viewed' || event === 'returned')).toHaveLength(2);
  });

  test('finds a payment by each thing that is known of it, and never in the other environment', async () => {
    const intent = await pay();
    const tab = await openTab();
    await tab.goto('/sandbox/search');
    await tab.logIn(ownShop().owner);
    await tab.page.getByText('Enter what you know of a payment.').waitFor();
    const find = async (text: string) => {
      const box = tab.page.locator('input[name=find-payment]');
      await box.fill(text);
      await box.press('Enter');
    };
    const call = await callerFor(ownShop().owner);
    const file = await call<{
      payment: { merchantReference: string };
      judgement: { sms: { trxId: string; smsEventId: string }[] };
    }>('GET', `/v1/dashboard/payments/${intent.id}/evidence-file`);
    const [sms] = file.body.judgement.sms;
    for (const text of [
      intent.customerReference.toLowerCase(),
      file.body.payment.merchantReference,
      sms?.trxId ?? '',
      intent.id,
    ]) {
      await tab.goto('/sandbox/search');
      await find(text);
      await tab.page.waitForURL(`**/sandbox/payments/${intent.id}`);
    }
    await find('500');
    await tab.page.locator('[data-found=amount]').first().waitFor();
    const field = tab.page.locator('main').getByRole('search').getByRole('textbox');
    await field.fill('500.00');
    await field.press('Enter');
    await tab.page.waitForURL('**/sandbox/search?text=500.00');
    expect(await tab.page.evaluate('document.activeElement.value')).toBe('500.00');
    await tab.goto(`/live/search?text=${intent.customerReference}`);
    await tab.page.getByText('Nothing was found.').waitFor();
    await tab.page.getByRole('link', { name: 'Search in SANDBOX' }).click();
    await tab.page.waitForURL(`**/sandbox/payments/${intent.id}`);
  });

  test('shows the parsed values of an SMS, reports an unknown format, and exports the list', async () => {
    const message = 'You got BDT 500 from 01711000999 by a new wording';
    await api.forwardSms(ownShop().sandbox, { sender: 'bKash', message, receiverMsisdn: paid.receiverMsisdn });
    const tab = await openTab();
    await tab.goto('/sandbox/sms?status=MATCHED');
    await tab.logIn(ownShop().owner);
    await tab.page.getByRole('link', { name: 'Tk 500.00' }).first().click();
    await tab.page.locator('mark[data-part=amount]').getByText('500').waitFor();
    await tab.page.locator('mark[data-part=trxId]').waitFor();
    await tab.page.getByRole('link', { name: 'Payment', exact: true }).waitFor();

    await tab.goto('/sandbox/sms?status=UNPARSED');
    await tab.page.getByRole('link', { name: 'bKash' }).first().click();
    await tab.page.getByText('The wording of this text is not known.').waitFor();
    await tab.page.getByText(message).waitFor();
    await tab.page.getByRole('button', { name: 'Parse again' }).click();
    await tab.page.getByText('The text is read as before.').waitFor();
    await tab.page.keyboard.press('Escape');
    await tab.page.getByRole('button', { name: 'Report the format' }).click();
    await tab.page.getByRole('dialog').getByRole('button', { name: 'Report the format' }).click();
    await tab.page.getByText('Reported', { exact: true }).waitFor();

    await tab.goto('/sandbox/sms?status=UNPARSED');
    await tab.page.getByText('1 in total').waitFor();
    const [file] = await Promise.all([
      tab.page.waitForEvent('download'),
      tab.page.getByRole('button', { name: 'Download as CSV' }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/^sms-sandbox-\d{4}-\d{2}-\d{2}\.csv$/);
    const lines = readFileSync(await file.path(), 'utf8')
      .trimEnd()
      .split('\r\n');
    expect(lines).toEqual([
      expect.stringMatching(/^\ufeffid,ingested_at/),
      expect.stringContaining('unsupported_format'),
    ]);
  });

  test('shows the close of a day with its balances, and which SMS are missing', async () => {
    const tab = await openTab();
    await tab.goto('/sandbox/sms');
    await tab.logIn(ownShop().owner);
    await tab.page.getByRole('link', { name: 'Daily close' }).click();
    const receiver = paid.receiverMsisdn ?? '';
    const account = tab.page.getByRole('region').filter({ hasText: receiver }).first();
    await account.getByText('Received for orders').waitFor();
    await eventually(() => tab.page.locator('.uplot canvas').evaluate(isDrawn), 'the balances are drawn');
    const [file] = await Promise.all([
      tab.page.waitForEvent('download'),
      tab.page.getByRole('button', { name: 'Download the close as CSV' }).click(),
    ]);
    expect(readFileSync(await file.path(), 'utf8')).toContain(receiver);

    await tab.page.getByRole('link', { name: 'Missing SMS' }).click();
    // Each text of the payments that this file makes has the same balance.
    await tab.page.getByText('Tk 500.00 sent without an SMS').first().waitFor();
  });

  test('explains the part whose service does not answer, and shows the others', async () => {
    const tab = await openTab();
    const requests = '**/statistics/webhooks*';
    let fails = true;
    await tab.page.route(requests, (route) => (fails ? route.abort() : route.continue()));
    await tab.goto('/sandbox/overview');
    await tab.logIn(ownShop().owner);

    await card(tab, 'webhooks').getByText('The server could not be reached.').waitFor();
    await card(tab, 'received').getByText('Tk').first().waitFor();
    const repeated = tab.page.waitForRequest(requests);
    // Clicked while requests still fail: afterwards a change of data could load the card first and remove the button.
    await card(tab, 'webhooks').getByRole('button', { name: 'Try again' }).click();
    await repeated;
    fails = false;
    await card(tab, 'webhooks').getByText('No endpoint yet.').waitFor();
  });

  test.each([
    ['en', 'phone', PHONE, 'light'],
    ['bn', 'phone', PHONE, 'dark'],
    ['en', 'desktop', DESKTOP, 'dark'],
    ['bn', 'desktop', DESKTOP, 'light'],
  ] as const)(
    'in %s on a %s has no accessibility findings and fits the screen',
    async (...given) => {
      const [language, device, viewport, scheme] = given;
      const tab = await openTab({ viewport, language, scheme });
      await tab.goto('/sandbox/overview');
      await tab.logIn(ownShop().owner);
      await eventually(() => tab.page.locator('.uplot canvas').evaluate(isDrawn), 'the chart is drawn');
      await tab.page.locator('[data-card][aria-busy=true]').waitFor({ state: 'detached' });
      await tab.picture(`overview-${language}-${device}-${scheme}`);
      expect(await tab.faults()).toEqual([]);
      await tab.goto('/sandbox/search?text=500');
      await tab.page.locator('[data-found=amount]').first().waitFor();
      await tab.picture(`search-${language}-${device}-${scheme}`);
      expect(await tab.faults()).toEqual([]);
      await tab.goto('/sandbox/sms?status=MATCHED');
      const sms = tab.page.getByRole('link', { name: language === 'en' ? 'Tk 500.00' : '৳৫০০.০০' }).first();
      await sms.waitFor();
      await tab.picture(`sms-list-${language}-${device}-${scheme}`);
      expect(await tab.faults()).toEqual([]);
      await sms.click();
      await tab.page.locator('mark[data-part=amount]').waitFor();
      await tab.page.locator('[data-check=amount]').waitFor();
      await tab.picture(`sms-${language}-${device}-${scheme}`);
      expect(await tab.faults()).toEqual([]);
      await tab.goto('/sandbox/sms/daily-close');
      await eventually(() => tab.page.locator('.uplot canvas').evaluate(isDrawn), 'the balances are drawn');
      await tab.picture(`daily-close-${language}-${device}-${scheme}`);
      expect(await tab.faults()).toEqual([]);
      await tab.goto('/sandbox/sms/missing');
      await tab.page.getByRole('heading', { level: 1 }).waitFor();
      const amount = tab.page.getByText(language === 'en' ? 'Tk 500.00' : '৳৫০০.০০');
      await amount.filter({ visible: true }).first().waitFor();
      await tab.picture(`missing-sms-${language}-${device}-${scheme}`);
      expect(await tab.faults()).toEqual([]);
    },
    240_000,
  );
});

/** Whether a canvas has a pixel that is not transparent. */
const isDrawn = (canvas: unknown) => {
  const { width, height, getContext } = canvas as {
    readonly width: number;
    readonly height: number;
    readonly getContext: (kind: '2d') => { getImageData(...area: number[]): { readonly data: ArrayLike<number> } };
  };
  const { data } = getContext.call(canvas, '2d').getImageData(0, 0, width, height);
  return Array.prototype.some.call(data, (value) => value !== 0);
};
