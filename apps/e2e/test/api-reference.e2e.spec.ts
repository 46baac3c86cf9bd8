import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { complaintsOf } from '../src/browser/check-page';
import { openBrowser } from '../src/browser/open-browser';
import { readSystem } from '../src/system';

const RUN_DIRECTORY = process.env['E2E_RUN_DIRECTORY'] ?? '.run';
/** The page draws every operation of the document. */
const PATIENCE_MS = 60_000;

describe('the API reference', () => {
  const system = readSystem(RUN_DIRECTORY);
  const apiKey = system.merchants[0]?.sandbox.apiKey ?? '';
  let browser: Browser;

  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it('begins with a command that works as pasted, and sends requests with a key that is entered', async () => {
    const page = await browser.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    const complaints = complaintsOf(page);
    await page.goto(`${system.baseUrl}/v1/docs`);
    const command = await page.locator('.info pre code').first().innerText();
    await page.getByRole('button', { name: 'Authorize' }).first().click();
    await page.locator('#api_key_value').first().fill(apiKey);
    await page.locator('.auth-btn-wrapper button.authorize').first().click();
    await page.locator('.btn-done').first().click();
    const operation = page.locator('#operations-Payment_intents-createPaymentIntent');
    await operation.locator('.opblock-summary-control').click();
    await operation.locator('button.execute').click();
    const status = operation.locator('.live-responses-table .response-col_status').nth(1);

    expect((await status.innerText()).trim()).toMatch(/^201/);
    expect(complaints).toEqual([]);
    // The key is typed at the prompt, as a person would do.
    const typed = `printf '%s\\n' "$TYPED" | { ${command}\n}`;
    const { stdout } = await promisify(execFile)('bash', ['-c', typed], { env: { ...process.env, TYPED: apiKey } });
    expect(JSON.parse(stdout.replace(/^API key: /, ''))).toMatchObject({ status: 'PENDING', amount: '500' });
  }, 180_000);
});
