import { randomUUID } from 'node:crypto';
import { eventually } from '@pay/testing';
import { TOTP } from 'otpauth';
import { dashboardStories } from '../src/browser/dashboard-set-up';
import { DESKTOP, payByReference, payTooLittle, PHONE } from '../src/browser/dashboard-stories';
import { ownMerchant } from '../src/own-merchant';

const MOST_BYTES_OF_FIRST_LOAD = 250_000;
const TITLES = {
  en: { overview: 'Overview', exceptions: 'Exceptions', kind: 'Amount differs', payments: 'Payments', logIn: 'Log in' },
  bn: {
    overview: 'সারসংক্ষেপ',
    exceptions: 'যাচাই তালিকা',
    kind: 'টাকার পরিমাণ ভিন্ন',
    payments: 'পেমেন্ট',
    logIn: 'লগ ইন',
  },
} as const;

describe('the dashboard', () => {
  const { system, controlPlane, api, ownShop, openTab, newUser, callerFor } = dashboardStories();

  async function newException() {
    const intent = await payTooLittle(api, ownShop(), randomUUID().slice(0, 13));
    const call = await callerFor(ownShop().owner);
    const found = await eventually(async () => {
      const path = '/v1/dashboard/exceptions?environment=SANDBOX&limit=100';
      const { body } = await call<{ data: { id: string; paymentIntentId: string }[] }>('GET', path);
      return body.data.find(({ paymentIntentId }) => paymentIntentId === intent.id);
    }, 'the exception is in the queue');
    return { intent, path: `/sandbox/exceptions/${found.id}`, id: found.id, call };
  }
  const statusOf = async (id: string) => (await api.getIntent(ownShop().sandbox, id)).body.status;

  test('is one page with a strict policy and files that browsers may cache forever', async () => {
    const url = `${system.baseUrl}/dashboard`;
    const [index, deep, missing, missingFile] = await Promise.all(
      ['', '/live/exceptions/1', '/assets/none.js', '/robots.txt'].map((path) => fetch(url + path)),
    );
    const html = (await index?.text()) ?? '';
    const nonce = /name="csp-nonce" content="([\w-]+)"/.exec(html)?.[1] ?? 'none';

    expect(index?.headers.get('cache-control')).toBe('no-store');
    expect(index?.headers.get('content-security-policy')).toBe(
      `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; font-src 'self'; ` +
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(deep?.status).toBe(200);
    expect(await deep?.text()).not.toContain(nonce);
    expect([missing?.status, missingFile?.status]).toEqual([404, 404]);
    const script = /src="(\/dashboard\/assets\/[^"]+\.js)"/.exec(html)?.[1] ?? '';
    const asset = await fetch(system.baseUrl + script, { headers: { 'accept-encoding': 'gzip' } });
    expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(asset.headers.get('content-encoding')).toBe('gzip');
  });

  test('loads at most 250 KB until the first page is shown', async () => {
    const tab = await openTab();
    const sizes: number[] = [];
    tab.page.on('response', (response) => {
      if (response.url().startsWith(`${system.baseUrl}/dashboard`))
        sizes.push(Number(response.headers()['content-length']));
    });
    await tab.goto();
    await tab.logIn(ownShop().owner);
    await tab.heading(TITLES.en.overview).waitFor();

    const sum = sizes.reduce((total, size) => total + size, 0);
    console.log(`first load of the dashboard: ${sum} bytes in ${sizes.length} files`);
    expect(sum).toBeGreaterThan(50_000);
    expect(sum).toBeLessThanOrEqual(MOST_BYTES_OF_FIRST_LOAD);
    // 401: there was no session yet.
    expect(tab.complaints.filter((line) => !line.includes('401'))).toEqual([]);
  });

  test('refuses a wrong password, and requires the second factor of an account that has one', async () => {
    const login = await newUser('ADMIN');
    const call = await callerFor(login);
    const enrolled = await call<{ secret: string }>('POST', '/v1/auth/2fa/enrol', { password: login.password });
    const code = new TOTP({ secret: enrolled.body.secret }).generate();
    const confirmed = await call<{ recoveryCodes: string[] }>('POST', '/v1/auth/2fa/confirm', { code });
    const [recoveryCode = ''] = confirmed.body.recoveryCodes;
    const tab = await openTab();
    await tab.goto('/sandbox/exceptions');

    await tab.logIn({ ...login, password: 'not the password' });
    await tab.page.getByText('E-mail, password or code is wrong.').waitFor();
    await tab.logIn(login);
    await tab.page.locator('input[name=code]').fill(recoveryCode);
    await tab.page.locator('button[type=submit]').click();

    await tab.heading(TITLES.en.exceptions).waitFor();
    await tab.page.getByRole('button', { name: 'Log out' }).first().click();
    await tab.page.getByText('You have logged out.').waitFor();
    await tab.goto('/sandbox/exceptions');
    await tab.page.locator('input[name=email]').waitFor();
  });

  test('after a log-in and after a switch only the payments of the current merchant are shown', async () => {
    const otherShop = await ownMerchant(system, controlPlane);
    const [here, there] = await Promise.all(
      [ownShop(), otherShop].map((shop) => payByReference(api, shop, randomUUID().slice(0, 13))),
    );
    const ofBoth = await newUser('VIEWER');
    await controlPlane.run('create-user', { merchant: otherShop.id, email: ofBoth.email, role: 'VIEWER' });
    const tab = await openTab();
    const rowOf = (intent: typeof here) =>
      tab.page.getByRole('table').getByText(intent?.customerReference ?? '', { exact: true });
    await tab.goto('/sandbox/payments');

    await tab.logIn(otherShop.owner);
    await rowOf(there).waitFor();
    await tab.page.getByRole('button', { name: 'Log out' }).first().click();
    await tab.logIn(ofBoth);
    await rowOf(here).waitFor();
    expect(await rowOf(there).count()).toBe(0);
    await tab.goto(`/sandbox/payments/${here?.id}`);
    await tab.page.locator('[data-event=created]').waitFor();

    await tab.page.getByRole('combobox', { name: 'Merchant' }).first().selectOption({ label: otherShop.name });
    await rowOf(there).waitFor();
    expect(await rowOf(here).count()).toBe(0);
  });

  test('a reviewer approves a payment that is 50 taka short, and both amounts are accepted explicitly', async () => {
    const { intent, path } = await newException();
    const tab = await openTab();
    await tab.goto('/sandbox/exceptions?order=newest');
    await tab.logIn(await newUser('REVIEWER'));
    await tab.page.getByRole('link', { name: TITLES.en.kind }).first().click();
    await tab.heading(TITLES.en.kind).waitFor();
    await tab.goto(path);

    await tab.page.getByText('Tk 50.00 less than expected').waitFor();
    expect(await tab.page.locator('[data-check=amount]').getAttribute('data-result')).toBe('fail');
    expect(await tab.page.locator('[data-check][data-result=pass]').count()).toBeGreaterThan(3);
    await tab.page.locator('[data-decision=resolve]').click();
    const approve = tab.page.getByRole('dialog').getByRole('button', { name: 'Approve the payment' });
    expect(await approve.isDisabled()).toBe(true);
    await tab.page.getByLabel('I accept Tk 450.00 instead of Tk 500.00 for this intent.').check();
    await tab.page.getByLabel('Reason').fill('The customer pays the rest in cash');
    await approve.click();

    await tab.page.getByText('The decision was applied.').waitFor();
    await tab.page.getByText('The customer pays the rest in cash').waitFor();
    expect(await statusOf(intent.id)).toBe('PAID');
  });

  test('shows the SMS beside the intent, and lets a reviewer decide by keyboard and continue with the next exception', async () => {
    const { intent, path } = await newException();
    await newException();
    const tab = await openTab();
    await tab.goto('/sandbox/exceptions?order=newest');
    await tab.logIn(await newUser('REVIEWER'));
    const focused = () => tab.page.evaluate<string>(`document.activeElement.textContent`);
    const pressUntil = (text: string) =>
      eventually(async () => {
        await tab.page.keyboard.press('Tab');
        return (await focused()).trim() === text || undefined;
      }, `${text} has the focus`);
    await tab.page.getByRole('link', { name: TITLES.en.kind }).first().waitFor();
    await pressUntil(TITLES.en.kind);
    await tab.page.keyboard.press('Enter');
    await tab.heading(TITLES.en.kind).waitFor();
    await tab.page.keyboard.press('Tab');
    expect(await focused()).toContain('All exceptions');
    await tab.goto(path);
    await tab.page.locator('mark[data-part=amount]').getByText('450').waitFor();

    await pressUntil('Reject the payment');
    await tab.page.keyboard.press('Enter');
    await tab.page.getByRole('dialog').waitFor();
    await tab.page.keyboard.press('Escape');
    await tab.page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await focused()).toBe('Reject the payment');
    await tab.page.keyboard.press('Enter');
    await tab.page.getByRole('textbox', { name: 'Reason' }).waitFor();
    await tab.page.keyboard.type('Not enough');
    await pressUntil('Reject the payment');
    await tab.page.keyboard.press('Enter');

    await tab.page.getByText('The decision was applied.').waitFor();
    await tab.page.getByRole('link', { name: 'Next exception' }).waitFor();
    await tab.page.keyboard.press('Tab');
    await tab.page.keyboard.press('Enter');
    await tab.page.locator('[data-decision]').first().waitFor();
    expect(new URL(tab.page.url()).pathname).not.toBe(`/dashboard${path}`);
    await eventually(async () => (await statusOf(intent.id)) === 'REJECTED' || undefined, 'the intent is rejected');
  });

  test('shows the conflict to the second of two reviewers, and applies nothing twice', async () => {
    const { intent, path, id, call } = await newException();
    const tab = await openTab();
    await tab.goto(path);
    await tab.logIn(await newUser('REVIEWER'));
    await tab.page.locator('[data-decision=reject]').click();
    await tab.page.getByLabel('Reason').fill('Not enough');
    const first = await call('POST', `/v1/dashboard/exceptions/${id}/resolve`, {
      reason: 'Agreed by phone',
      acknowledgeAmountDifference: true,
      expectedAmount: '500',
      receivedAmount: '450',
    });
    expect(first.status).toBe(200);

    await tab.page.getByRole('dialog').getByRole('button', { name: 'Reject the payment' }).click();

    await tab.page.getByText('Another reviewer has already decided').waitFor();
    await tab.page.getByText('Agreed by phone').waitFor();
    expect(await statusOf(intent.id)).toBe('PAID');
  });

  test('a session that ends while the user types is continued after a log-in, and the text is kept', async () => {
    const { intent, path } = await newException();
    const login = await newUser('REVIEWER');
    const tab = await openTab();
    await tab.goto(path);
    await tab.logIn(login);
    await tab.page.locator('[data-decision=reject]').click();
    await tab.page.getByLabel('Reason').fill('Half a sentence');
    const elsewhere = await callerFor(login);
    const newPassword = `${randomUUID()} new`;
    const change = { currentPassword: login.password, newPassword };
    expect((await elsewhere('POST', '/v1/auth/password/change', change)).status).toBe(200);

    // The end of a session reaches the services within about a second.
    const ended = tab.page.getByText('Your session has ended');
    await eventually(
      async () => {
        await tab.page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`);
        return (await ended.isVisible()) || undefined;
      },
      'the log-in dialog is shown',
      { timeoutMs: 30_000 },
    );
    await eventually(
      () => tab.page.evaluate<boolean>(`document.activeElement.name === 'password'`),
      'the password has the focus',
    );
    await tab.page.keyboard.type(newPassword);
    await tab.page.getByRole('dialog').getByRole('button', { name: 'Log in' }).click();
    await ended.waitFor({ state: 'detached' });
    expect(await tab.page.getByLabel('Reason').inputValue()).toBe('Half a sentence');
    await tab.page.getByRole('dialog').getByRole('button', { name: 'Reject the payment' }).click();

    await tab.page.getByText('The decision was applied.').waitFor();
    await eventually(
      async () => ((await statusOf(intent.id)) === 'REJECTED' ? true : undefined),
      'the intent is rejected',
    );
  });

  test('SANDBOX and LIVE are named on every page and never mixed, and a viewer is offered no decision', async () => {
    const { path } = await newException();
    const tab = await openTab({ viewport: PHONE });
    await tab.goto(path);
    await tab.logIn(await newUser('VIEWER'));
    await tab.heading(TITLES.en.kind).waitFor();
    expect(await tab.page.locator('[data-decision]').count()).toBe(0);
    await tab.page.getByText('SANDBOX · Test data. No real money.').waitFor();

    await tab.page.getByRole('link', { name: 'LIVE' }).click();

    await tab.page.getByText('LIVE · Real money.').waitFor();
    await tab.page.getByText('Nothing needs a decision.').waitFor();
    await tab.goto(path.replace('sandbox', 'live'));
    await tab.page.getByText('This object belongs to SANDBOX.').waitFor();
  });

  test('on a low screen the navigation scrolls to its last entry', async () => {
    const tab = await openTab({ viewport: { width: PHONE.width, height: 480 } });
    await tab.goto('/sandbox/exceptions');
    await tab.logIn(ownShop().owner);
    await tab.page.getByRole('button', { name: 'Open navigation' }).click();

    await tab.page
      .getByRole('navigation', { name: 'Main navigation' })
      .getByRole('button', { name: 'Log out' })
      .click();

    await tab.page.getByText('You have logged out.').waitFor();
  });

  test('finds a payment by its merchant reference, and its page shows its whole history', async () => {
    const { intent } = await newException();
    const tab = await openTab();
    await tab.goto('/sandbox/payments');
    await tab.logIn(await newUser('VIEWER'));
    await tab.heading(TITLES.en.payments).waitFor();
    await tab.page.getByRole('textbox', { name: 'Search' }).fill(intent.customerReference.toLowerCase());
    await tab.page.getByRole('button', { name: 'Search' }).click();
    await tab.page.getByText('1 in total').waitFor();

    await tab.page.getByRole('link', { name: 'Tk 500.00' }).first().click();

    await tab.heading('Tk 500.00').waitFor();
    await tab.page.locator('[data-event=review]').waitFor();
    const events = await tab.page
      .locator('[data-event]')
      .evaluateAll((items: { dataset: { event?: string } }[]) => items.map(({ dataset }) => dataset.event));
    expect(events.slice(0, 2)).toEqual(['created', 'sms']);
    expect(events).toEqual(expect.arrayContaining(['decision', 'review']));
    await tab.page.getByText('The received amount differs from the amount of the intent.').waitFor();
    expect(await tab.page.locator('[data-event=decision] [data-check]').count()).toBe(7);
    const [file] = await Promise.all([
      tab.page.waitForEvent('download'),
      tab.page.getByRole('button', { name: 'Download evidence file' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe(`evidence-${intent.id}.json`);
  });

  test('a phone is given a number in a SIM slot, and a forwarder app that is removed again', async () => {
    const call = await callerFor(ownShop().owner);
    const { body: phone } = await call<{ id: string }>('POST', '/v1/dashboard/devices', {
      environment: 'SANDBOX',
      name: 'Counter three',
    });
    const [account] = ownShop().sandbox.receivers;
    const tab = await openTab();
    await tab.goto('/sandbox/devices');
    await tab.logIn(await newUser('ADMIN'));
    const card = tab.page.locator('[data-device="Counter three"]');
    const dialog = tab.page.getByRole('dialog');
    await card.getByRole('button', { name: 'Numbers' }).click();
    await dialog.getByLabel(account?.msisdn ?? '').selectOption('SIM 2');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await card.getByText(`${account?.msisdn} (SIM 2)`).waitFor();
    const { body } = await call<{ sims: unknown }>('GET', `/v1/dashboard/devices/${phone.id}`);
    expect(body.sims).toEqual([{ simSlot: 2, receiverAccountIds: [account?.id] }]);

    await card.getByRole('button', { name: 'Forwarder apps' }).click();
    await dialog.getByLabel('App').selectOption('textbee');
    await dialog.getByRole('button', { name: 'Add the app' }).click();
    await dialog.getByText('Delivery URL').waitFor();
    const [url, secret] = await dialog.getByTestId('secret').locator('.identifier').allInnerTexts();
    expect(url).toContain(`${system.baseUrl}/v1/sms-events/hooks/textbee/`);
    expect(secret).toMatch(/^\S{20,}$/);
    await dialog.getByLabel('I have entered the values').check();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.locator('[data-forwarder=textbee]').getByRole('button', { name: 'Remove' }).click();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await dialog.getByText('No app yet.').waitFor();
  });

  test('a viewer is not shown API keys, and may not pair phones', async () => {
    const tab = await openTab();
    await tab.goto('/sandbox/api-keys');
    await tab.logIn(await newUser('VIEWER'));
    await tab.page.getByText('Your role (Viewer) does not permit this. Ask an owner or admin.').waitFor();
    expect(await tab.page.getByRole('link', { name: 'API keys' }).count()).toBe(0);
    await tab.page.getByRole('link', { name: 'Phones' }).click();
    await tab.page.locator('[data-device]').first().waitFor();
    expect(await tab.page.getByRole('button', { name: 'Pair' }).count()).toBe(0);
  });

  test('a failed request is explained and can be repeated', async () => {
    const tab = await openTab();
    const requests = '**/v1/dashboard/exceptions*';
    let fails = true;
    await tab.page.route(requests, (route) => (fails ? route.abort() : route.continue()));
    await tab.goto('/sandbox/exceptions');
    await tab.logIn(ownShop().owner);
    await tab.page.getByText('The server could not be reached. Check your connection.').waitFor();
    const repeated = tab.page.waitForRequest(requests);
    // Clicked while requests still fail: afterwards a change of data could load the page first and remove the button.
    await tab.page.getByRole('button', { name: 'Try again' }).click();
    await repeated;
    fails = false;
    await tab.page.getByText('in total').waitFor();
  });

  test('refuses a decision without a network immediately, keeps its text, and applies it once when it is repeated', async () => {
    const { intent, path, id, call } = await newException();
    const tab = await openTab();
    await tab.goto(path);
    await tab.logIn(await newUser('REVIEWER'));
    await tab.page.locator('[data-decision=reject]').click();
    await tab.page.getByLabel('Reason').fill('Typed in a lift');
    await tab.context.setOffline(true);
    await tab.page.getByText('No connection. The data on this page may be out of date.').waitFor();

    const reject = tab.page.getByRole('dialog').getByRole('button', { name: 'Reject the payment' });
    await reject.click();

    await tab.page.getByRole('dialog').getByText('It is not known whether the decision was applied').waitFor();
    expect(await tab.page.getByLabel('Reason').inputValue()).toBe('Typed in a lift');
    expect(await statusOf(intent.id)).toBe('REVIEW_REQUIRED');
    await tab.context.setOffline(false);
    await reject.click();
    await tab.page.getByText('The decision was applied.').waitFor();
    const { body } = await call<{ actions: { note: string }[] }>('GET', `/v1/dashboard/exceptions/${id}`);
    expect(body.actions.map(({ note }) => note)).toEqual(['Typed in a lift']);
  });

  test('reloads a tab that is older than a release once, with a notice', async () => {
    const tab = await openTab();
    await tab.goto('/sandbox/exceptions');
    await tab.logIn(await newUser('ADMIN'));
    await tab.heading(TITLES.en.exceptions).waitFor();
    // After a release the files of the old one are gone.
    await tab.page.route('**/assets/devices-page-*.js', (route) => route.fulfill({ status: 404 }), { times: 1 });

    await tab.page.getByRole('link', { name: 'Phones' }).click();

    await tab.page.locator('[data-device]').first().waitFor();
    await tab.page.getByText('The dashboard was updated, so this page was loaded again.').waitFor();
    expect(new URL(tab.page.url()).pathname).toBe('/dashboard/sandbox/devices');
  });

  test('a page whose files do not arrive is explained, and the navigation still works', async () => {
    const tab = await openTab();
    await tab.goto('/sandbox/exceptions');
    await tab.logIn(await newUser('ADMIN'));
    await tab.heading(TITLES.en.exceptions).waitFor();
    await tab.page.route('**/assets/devices-page-*.js', (route) => route.fulfill({ status: 404 }));

    await tab.page.getByRole('link', { name: 'Phones' }).click();

    await tab.page.getByText('This could not be loaded').waitFor();
    await tab.page.getByRole('link', { name: 'Payments' }).click();
    await tab.heading(TITLES.en.payments).waitFor();
  });

  test('a page that is opened without a network is explained, and is reloaded when the network is back', async () => {
    const tab = await openTab();
    await tab.goto('/sandbox/exceptions');
    await tab.logIn(ownShop().owner);
    await tab.heading(TITLES.en.exceptions).waitFor();
    await tab.context.setOffline(true);

    await tab.page.getByRole('link', { name: 'Phones' }).click();
    await tab.page.getByText('This could not be loaded').waitFor();
    const reload = tab.page.getByRole('button', { name: 'Reload' });
    await reload.click();
    await tab.page.getByText('The server could not be reached.').waitFor();
    await tab.context.setOffline(false);
    await reload.click();

    await tab.heading('Phones').waitFor();
  });

  describe.each([
    ['en', 'phone', PHONE, 'light'],
    ['bn', 'phone', PHONE, 'dark'],
    ['en', 'desktop', DESKTOP, 'dark'],
    ['bn', 'desktop', DESKTOP, 'light'],
  ] as const)('in %s on a %s', (language, device, viewport, scheme) => {
    test('has no accessibility findings and fits the screen on every page', async () => {
      const { path, intent } = await newException();
      const titles = TITLES[language];
      const name = (page: string) => `${page}-${language}-${device}-${scheme}`;
      const tab = await openTab({ viewport, language, scheme });
      await tab.goto('/sandbox/exceptions');
      await tab.page.getByRole('heading', { name: titles.logIn }).waitFor();
      await tab.picture(name('log-in'));
      expect(await tab.faults()).toEqual([]);
      await tab.logIn(ownShop().owner);
      await tab.heading(titles.exceptions).waitFor();
      await tab.page.getByRole('link', { name: titles.kind }).first().waitFor();
      await tab.picture(name('exceptions'));
      expect(await tab.faults()).toEqual([]);
      await tab.goto(path);
      await tab.heading(titles.kind).waitFor();
      await tab.page.locator('[data-testid=difference]').waitFor();
      await tab.picture(name('exception'));
      expect(await tab.faults()).toEqual([]);
      await tab.page.locator('[data-decision=resolve]').click();
      await tab.page.getByRole('dialog').waitFor();
      await tab.picture(name('decision'));
      expect(await tab.faults()).toEqual([]);
      await tab.goto('/sandbox/payments');
      await tab.heading(titles.payments).waitFor();
      await tab.page
        .getByRole('link', { name: language === 'en' ? 'Tk 500.00' : '৳৫০০.০০' })
        .first()
        .waitFor();
      await tab.picture(name('payments'));
      expect(await tab.faults()).toEqual([]);
      for (const [page, item] of [
        ['devices', '[data-device]'],
        ['api-keys', '[data-api-key]'],
      ] as const) {
        await tab.goto(`/sandbox/${page}`);
        await tab.page.locator(item).first().waitFor();
        await tab.picture(name(page));
        expect(await tab.faults()).toEqual([]);
      }
      await tab.goto(`/sandbox/payments/${intent.id}`);
      await tab.page.locator('[data-event=review]').waitFor();
      await tab.picture(name('payment'));
      expect(await tab.faults()).toEqual([]);
    }, 240_000);
  });
});
