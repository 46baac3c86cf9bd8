import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@pay/testing';
import { TOTP } from 'otpauth';
import type { Locator } from 'playwright-core';
import { dashboardStories, RUN_DIRECTORY } from '../src/browser/dashboard-set-up';
import { DESKTOP, docsPicture, PHONE, type DashboardTab, type Login } from '../src/browser/dashboard-stories';
import { smallPicture } from '../src/browser/small-picture';
import { everyCopyIsWhole } from '../src/own-merchant';

const MOST_CLICKS_TO_A_PAID_ORDER = 12;
const MOST_BYTES_OF_A_PICTURE = 60_000;
const HEIGHT_OF_TWO_LINES = 34;
const WIDTH_OF_A_WORD = 80;

describe('setting up a shop in the dashboard', () => {
  const { system, controlPlane, api, ownShop, openTab, newUser, callerFor } = dashboardStories();
  const dialogOf = (tab: DashboardTab) => tab.page.getByRole('dialog');
  const pressInDialog = (tab: DashboardTab, name: string) => dialogOf(tab).getByRole('button', { name }).click();

  async function newIntent() {
    const fields = { amount: 500, idempotencyKey: randomUUID(), paymentMethod: 'BKASH_SEND_MONEY' };
    return (await api.createIntent(ownShop().sandbox, fields)).body;
  }
  const statusOf = async (id: string) => (await api.getIntent(ownShop().sandbox, id)).body.status;

  test(`an owner of an empty merchant has a paid order in SANDBOX after at most ${MOST_CLICKS_TO_A_PAID_ORDER} clicks`, async () => {
    const { merchantId } = await controlPlane.run<{ merchantId: string }>('create-merchant', { name: 'Boi Ghor' });
    const email = `${randomUUID()}@shop.example`;
    const { password } = await controlPlane.run<{ password: string }>('create-owner', {
      merchant: merchantId,
      email,
      name: 'Rahima',
    });
    const tab = await openTab({ viewport: { width: 1000, height: 720 } });
    await tab.context.addInitScript(COUNT_CLICKS);
    const picture = async (name: string) => {
      const image = await smallPicture(tab.context, await tab.page.screenshot({ animations: 'disabled' }));
      expect(image.length).toBeLessThanOrEqual(MOST_BYTES_OF_A_PICTURE);
      writeFileSync(docsPicture(`first-hour/${name}`), image);
    };
    const stepIsDone = (name: string) => tab.page.locator(`[data-step=${name}][data-done=true]`).waitFor();
    await tab.goto();
    await tab.logIn({ email, password });
    await tab.page.getByRole('link', { name: 'See the next steps' }).click();
    await tab.page.getByText('0 of 4 steps are done').waitFor();
    await picture('1-empty');

    await tab.page.getByRole('button', { name: 'Add a number' }).click();
    await dialogOf(tab).getByLabel('Wallet number').fill('01712345678');
    await picture('2-number');
    await pressInDialog(tab, 'Add a receiving number');
    await stepIsDone('receiver');
    await tab.page.getByRole('button', { name: 'Create a key' }).click();
    await dialogOf(tab).getByLabel('Name').fill('My shop');
    await picture('3-key');
    await pressInDialog(tab, 'Create a key');
    await tab.page.getByLabel('I have stored the key').check();
    await pressInDialog(tab, 'Close');
    await stepIsDone('apiKey');
    await tab.page.getByRole('button', { name: 'Use the hosted endpoint' }).click();
    await stepIsDone('endpoint');
    await everyCopyIsWhole(system, merchantId);
    await picture('4-endpoint');
    await tab.page.getByRole('button', { name: 'Play a paid order' }).click();
    await stepIsDone('paid');
    await tab.page.getByText('The order is paid.').waitFor({ timeout: 60_000 });
    await tab.page.getByText('4 of 4 steps are done').waitFor();
    await tab.page.evaluate('scrollTo(0, 0)');
    await picture('5-paid');

    const clicks = await tab.page.evaluate<number>('Number(sessionStorage.getItem("clicks"))');
    console.log(`from the log-in to a paid order: ${clicks} clicks`);
    expect(clicks).toBeGreaterThan(5);
    expect(clicks).toBeLessThanOrEqual(MOST_CLICKS_TO_A_PAID_ORDER);
    await tab.page.getByRole('link', { name: 'Show the payment' }).click();
    await tab.page.locator('[data-event=webhook]').first().scrollIntoViewIfNeeded();
    await picture('6-payment');
    await tab.goto('/live/first-hour');
    await tab.page.getByText('0 of 9 steps are done').waitFor();
    await picture('7-live');
  });

  test('a phone is added and paired with the code that is shown, and is disabled again', async () => {
    const tab = await openTab();
    await tab.goto('/sandbox/devices');
    await tab.logIn(await newUser('ADMIN'));
    await tab.page.getByRole('button', { name: 'Add a phone' }).click();
    await tab.page.getByLabel('Name of the phone').fill('Counter two');
    await tab.page.getByRole('dialog').getByRole('button', { name: 'Add a phone' }).click();
    const code = await tab.page.getByTestId('pairing-code').innerText();
    const pairingId = await tab.page.getByRole('dialog').locator('.identifier').nth(1).innerText();
    const naturalWidth = await tab.page.getByAltText('QR code with the pairing code').evaluate(widthOfImage);
    expect(naturalWidth).toBeGreaterThan(0);
    const paired = await api.call('POST', '/v1/devices/pair', {}, { pairingId, code });
    expect(paired.status).toBe(200);
    await tab.page.getByRole('button', { name: 'Done' }).click();

    const phone = tab.page.locator('[data-device="Counter two"]');
    await phone.getByRole('button', { name: 'Disable' }).click();
    await tab.page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();

    await phone.getByText('Disabled').waitFor();
    await phone.getByRole('button', { name: 'Enable' }).waitFor();
  });

  test('a key is shown once, works, and is replaced by its rotation', async () => {
    const tab = await openTab();
    await tab.context.grantPermissions(['clipboard-write']);
    await tab.goto('/sandbox/api-keys');
    await tab.logIn(await newUser('DEVELOPER'));
    await tab.page.getByRole('button', { name: 'Create a key' }).click();
    await tab.page.getByRole('dialog').getByLabel('Name').fill('Second shop');
    await tab.page.getByRole('dialog').getByRole('button', { name: 'Create a key' }).click();
    const first = await newKeyIn(tab, (dialog) => dialog.getByLabel('I have stored the key').check());
    await tab.page.locator('[data-api-key="Second shop"]').getByRole('button', { name: 'Rotate' }).click();
    await tab.page.getByLabel('How long the old key keeps working').selectOption('Not at all');
    await tab.page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
    const second = await newKeyIn(tab, (dialog) => dialog.getByRole('button', { name: 'Copy New API key' }).click());

    const statusWith = async (apiKey: string) =>
      (await api.call('GET', '/v1/payments/intents', { 'x-api-key': apiKey })).status;
    await eventually(async () => ((await statusWith(second)) === 200 ? true : undefined), 'the new key works');
    await eventually(async () => ((await statusWith(first)) === 401 ? true : undefined), 'the old key is refused');
    expect(await tab.page.content()).not.toContain(second);
  });

  test('simulates the SMS of an intent, and the hosted endpoint shows the webhook that follows', async () => {
    const tab = await openTab();
    await tab.goto('/sandbox/testing/endpoint');
    await tab.logIn(await newUser('DEVELOPER'));
    await tab.page.getByRole('button', { name: 'Create' }).click();
    await tab.page.locator('[data-received="webhook.endpoint_verification"]').waitFor();
    const intent = await newIntent();
    await tab.page.getByRole('link', { name: 'Simulator' }).click();

    await tab.page.getByLabel('Reference that the payer entered').fill(intent.customerReference);
    await tab.page.getByLabel('Receiving number').selectOption(intent.receiverMsisdn);
    await tab.page.getByRole('button', { name: 'Send the SMS' }).click();

    await tab.page.getByTestId('simulation').getByText('Matched: all checks passed').waitFor();
    await eventually(async () => ((await statusOf(intent.id)) === 'PAID' ? true : undefined), 'the intent is PAID');
    await tab.page.getByRole('link', { name: 'Test endpoint' }).click();
    const received = tab.page.locator('[data-received="payment.paid"]').filter({ hasText: intent.id });
    await received.getByText('Signature valid').waitFor({ timeout: 20_000 });
  });

  test('plays a test case and shows its expectations', async () => {
    const tab = await openTab();
    await tab.goto('/sandbox/testing/cases');
    await tab.logIn(await newUser('DEVELOPER'));

    await tab.page.getByRole('button', { name: 'Run: Wrong amount' }).click();
    await tab.page.getByRole('row').getByRole('link', { name: 'Wrong amount' }).click();

    await tab.page.locator('[data-expectation=PASSED]').first().waitFor({ timeout: 60_000 });
    await tab.page.locator('#content header').getByText('Passed').waitFor({ timeout: 60_000 });
    expect(await tab.page.locator('[data-expectation=FAILED]').count()).toBe(0);
  });

  test('lets time pass until an open payment has expired', async () => {
    const intent = await newIntent();
    const tab = await openTab();
    await tab.goto('/sandbox/testing/clock');
    await tab.logIn(await newUser('DEVELOPER'));

    await tab.page.getByRole('button', { name: 'Let time pass' }).click();
    await dialogOf(tab).getByLabel('How much time passes').selectOption('1 day');
    await pressInDialog(tab, 'Let time pass');

    await eventually(async () => ((await statusOf(intent.id)) === 'EXPIRED' ? true : undefined), 'the intent expires', {
      timeoutMs: 60_000,
    });
    await tab.page.getByText('Ready').waitFor({ timeout: 60_000 });
    await tab.page.getByRole('button', { name: 'Reset' }).click();
    await pressInDialog(tab, 'Reset');
    await tab.page.getByText('0 s', { exact: true }).waitFor();
  });

  test('a person accepts an invitation by the link in the mail, works with the given role, and is deactivated', async () => {
    const tab = await openTab();
    await tab.goto('/sandbox/people');
    await tab.logIn(ownShop().owner);
    const invited: Login = { email: `${randomUUID()}@shop.example`, password: `${randomUUID()} new` };
    await tab.page.getByRole('button', { name: 'Invite a person' }).click();
    await dialogOf(tab).getByLabel('E-mail').fill(invited.email);
    await dialogOf(tab).getByLabel('Name').fill('Karim');
    await dialogOf(tab).getByLabel('Role').selectOption('Reviewer');
    await pressInDialog(tab, 'Invite a person');
    await tab.page.getByRole('row').filter({ hasText: invited.email }).getByText('Open').waitFor();

    const guest = await openTab({ viewport: PHONE });
    await guest.page.goto(await linkInMailTo(invited.email));
    await guest.page.locator('input[autocomplete=new-password]').fill(invited.password);
    await guest.page.getByRole('button', { name: 'Create the account' }).click();
    await guest.page.getByText('Your account was created. Log in now.').waitFor();
    await guest.page.locator('input[name=password]').fill(invited.password);
    await guest.page.locator('button[type=submit]').click();
    await guest.heading('Overview').waitFor();

    await tab.page.reload();
    const row = tab.page.getByRole('row').filter({ hasText: invited.email }).first();
    await row.getByText('Reviewer').waitFor();
    await row.getByRole('button', { name: 'Deactivate' }).click();
    await pressInDialog(tab, 'Deactivate');
    await row.getByText('Inactive').waitFor();
    await guest.page.reload();
    await guest.page.locator('input[name=email]').waitFor();
  });

  test('an account gets a second factor, ends its other sessions, and gives the factor up again', async () => {
    const login = await newUser('ADMIN');
    const tab = await openTab();
    await tab.goto('/sandbox/people/account');
    await tab.logIn(login);
    await tab.page.getByRole('button', { name: 'Turn on' }).click();
    await dialogOf(tab).getByLabel('Current password').fill(login.password);
    await pressInDialog(tab, 'Turn on');
    const secret = await tab.page.getByTestId('totp-secret').locator('.identifier').innerText();
    await dialogOf(tab).getByLabel('Code').fill(new TOTP({ secret }).generate());
    await pressInDialog(tab, 'Turn on and end all other sessions');
    const [first = '', second = ''] = (await tab.page.getByTestId('secret').locator('.identifier').innerText()).split(
      '\n',
    );
    await tab.page.getByLabel('I have stored the codes').check();
    await pressInDialog(tab, 'Close');
    await tab.page.getByText('10 recovery codes left').waitFor();

    const elsewhere = await openTab();
    await elsewhere.goto('/sandbox/people/account');
    await elsewhere.logIn(login);
    await elsewhere.page.locator('input[name=code]').fill(first);
    await elsewhere.page.locator('button[type=submit]').click();
    await elsewhere.page.getByText('9 recovery codes left').waitFor();
    await tab.page.reload();
    await tab.page.getByRole('row').getByRole('button', { name: 'End', exact: true }).click();
    await pressInDialog(tab, 'End');
    await tab.page.getByText('Done. Other sessions ended: 1.').waitFor();
    await elsewhere.page.reload();
    await elsewhere.page.locator('input[name=email]').waitFor();

    await tab.page.getByRole('button', { name: 'Turn off' }).click();
    await dialogOf(tab).getByLabel('Current password').fill(login.password);
    await dialogOf(tab).getByLabel('Code').fill(second);
    await pressInDialog(tab, 'Turn off');
    await tab.page.getByRole('button', { name: 'Turn on' }).waitFor();
  });

  test('a change of the looks is previewed before it is stored, is in the audit log, and a long name fits the header', async () => {
    const tab = await openTab();
    await tab.goto('/sandbox/settings');
    await tab.logIn(ownShop().owner);
    const form = tab.page.getByRole('form', { name: 'Name and branding' });
    const name = `রহিম ব্রাদার্স ইলেকট্রনিক্স অ্যান্ড হোম অ্যাপ্লায়েন্স সেন্টার, মিরপুর ${randomUUID().slice(0, 8)}`;
    await form.getByLabel('Name of the shop').fill(name);
    await form.getByRole('textbox', { name: 'Colour' }).fill('#7b1fa2');

    const head = tab.page.getByTestId('preview').locator('.checkout-preview-head');
    await head.getByText(name).waitFor();
    expect(await head.getAttribute('style')).toContain('rgb(123, 31, 162)');
    const call = await callerFor(ownShop().owner);
    const merchant = async () => (await call<{ name: string }>('GET', '/v1/dashboard/merchant')).body.name;
    expect(await merchant()).not.toBe(name);
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('The settings were saved.').waitFor();
    expect(await merchant()).toBe(name);
    await tab.goto('/sandbox/people/audit-log?action=merchant.changed');
    await tab.page.locator('[data-entry="merchant.changed"] summary').first().click();
    await tab.page.locator('[data-entry="merchant.changed"]').first().getByText(name).waitFor();
    await tab.page.setViewportSize({ width: 800, height: 600 });
    const header = tab.page.getByRole('banner');
    expect((await header.getByText(name).boundingBox())?.height).toBeLessThan(HEIGHT_OF_TWO_LINES);
    expect((await header.getByRole('combobox').boundingBox())?.width).toBeGreaterThan(WIDTH_OF_A_WORD);
  });

  test('lets a viewer see settings and people, and offers no change', async () => {
    const tab = await openTab();
    await tab.goto('/sandbox/settings');
    await tab.logIn(await newUser('VIEWER'));
    await tab.page.getByText('Only an owner or admin can change settings.').waitFor();
    expect(await tab.page.getByRole('button', { name: 'Save' }).count()).toBe(0);
    await tab.page.getByRole('link', { name: 'People' }).click();
    await tab.page.getByRole('row').filter({ hasText: ownShop().owner.email }).waitFor();
    expect(await tab.page.getByRole('button', { name: 'Invite a person' }).count()).toBe(0);
    expect(await tab.page.getByRole('link', { name: 'Audit log' }).count()).toBe(0);
    await tab.goto('/sandbox/people/audit-log');
    await tab.page.getByText('Your role (Viewer) does not permit this.').waitFor();
    await tab.goto('/sandbox/testing');
    await tab.page.getByText('Your role (Viewer) does not permit this.').waitFor();
  });

  test.each([
    ['en', 'phone', PHONE, 'dark'],
    ['bn', 'desktop', DESKTOP, 'light'],
    ['bn', 'phone', PHONE, 'light'],
    ['en', 'desktop', DESKTOP, 'dark'],
  ] as const)(
    'in %s on a %s no page has accessibility findings, and each fits the screen',
    async (...given) => {
      const [language, device, viewport, scheme] = given;
      const tab = await openTab({ viewport, language, scheme });
      await tab.goto('/sandbox/first-hour');
      await tab.logIn(ownShop().owner);
      await tab.page.locator('#content').waitFor();
      for (const [path, shown] of PAGES) {
        await tab.goto(path);
        await tab.page.locator(shown).filter({ visible: true }).first().waitFor();
        await tab.picture(`${path.slice(1).replaceAll('/', '-')}-${language}-${device}-${scheme}`);
        expect({ path, faults: await tab.faults() }).toEqual({ path, faults: [] });
      }
      expect(await tab.page.locator('html').getAttribute('lang')).toBe(language);
    },
    240_000,
  );
});

/** Each page with something that is there once its data are. */
const PAGES = [
  ['/sandbox/first-hour', '[data-step=paid]'],
  ['/live/first-hour', '[data-step=paid]'],
  ['/sandbox/testing', 'form select'],
  ['/sandbox/testing/cases', '[data-test-case]'],
  ['/sandbox/testing/endpoint', '[data-received]'],
  ['/sandbox/testing/clock', 'dl'],
  ['/sandbox/people', 'td, li'],
  ['/sandbox/people/account', 'td, li'],
  ['/sandbox/people/audit-log', '[data-entry]'],
  ['/sandbox/settings', '[data-testid=preview]'],
] as const;

/** A press of Enter makes a click event as well, so pointers are counted. */
const COUNT_CLICKS = `addEventListener('pointerdown', () => {
  sessionStorage.setItem('clicks', Number(sessionStorage.getItem('clicks')) + 1);
}, { capture: true })`;

/** The link of the invitation, as the mail has it. */
function linkInMailTo(email: string): Promise<string> {
  const folder = join(RUN_DIRECTORY, 'mail');
  return eventually(async () => {
    const mails = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    const mail = mails.find((text) => text.includes(`To: ${email}`))?.replaceAll(/=\r?\n/g, '');
    return /http\S+\/invitations#[\w-]+/.exec(mail ?? '')?.[0];
  }, `the mail to ${email} is written`);
}

const widthOfImage = (image: unknown) => (image as { readonly naturalWidth?: number }).naturalWidth ?? 0;

/** The key that the dialog shows. Neither a second click nor one beside it closes it, but `store` and the button do. */
async function newKeyIn(tab: DashboardTab, store: (dialog: Locator) => Promise<void>): Promise<string> {
  const dialog = tab.page.getByRole('dialog');
  const secret = dialog.getByTestId('secret');
  await secret.waitFor();
  // The pointer is where the button was that created the key.
  await tab.page.mouse.down();
  await tab.page.mouse.up();
  await tab.page.mouse.click(1, 1);
  const key = await secret.locator('.identifier').innerText();
  const close = dialog.getByRole('button', { name: 'Close' });
  expect(await close.isDisabled()).toBe(true);
  await store(dialog);
  await close.click();
  await dialog.waitFor({ state: 'detached' });
  return key;
}
