import { eventually } from '@pay/testing';
import type { Browser, Page } from 'playwright-core';
import { CheckoutStories, type PageIntent } from '../src/browser/checkout-stories';
import { openBrowser } from '../src/browser/open-browser';
import { faultsOf, type Tab } from '../src/browser/read-page';
import { offsetOfLetters } from '../src/browser/centre-of-letters';
import { ControlPlane } from '../src/control-plane';
import { ownCheckout, type OwnCheckout } from '../src/own-checkout';
import { ownMerchant, type OwnMerchant } from '../src/own-merchant';
import { readSystem } from '../src/system';

const RUN_DIRECTORY = process.env['E2E_RUN_DIRECTORY'] ?? '.run';
const LANGUAGES = ['en', 'bn'];
/** Two by two pixels. */
const LOGO =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEklEQVR4nGM4IRd1Qi6KAUIBACTGBQFVr/vpAAAAAElFTkSuQmCC';
const NOBODY = 'http://127.0.0.1:9';
const UNCHOSEN = { paymentMethod: undefined };

/** How each state comes about, and a sentence of it in both languages. */
interface State {
  readonly name: string;
  readonly says: readonly [english: string, bangla: string];
  readonly fields?: Record<string, unknown>;
  readonly query?: string;
  readonly bring?: (scene: Scene, intent: PageIntent) => Promise<unknown>;
}
interface Scene {
  readonly stories: CheckoutStories;
  readonly controlPlane: ControlPlane;
  readonly merchant: OwnMerchant;
}

const STATES: readonly State[] = [
  { name: 'choose', says: ['How do you want to pay?', 'কীভাবে টাকা দিতে চান?'], fields: UNCHOSEN },
  { name: 'send-money', says: ['Waiting for your payment', 'আপনার পেমেন্টের অপেক্ষায় আছি'] },
  { name: 'payment', says: ['Merchant number', 'মার্চেন্ট নম্বর'], fields: { paymentMethod: 'BKASH_PAYMENT' } },
  {
    name: 'nagad-payment',
    says: ['After paying, enter the TxnID', 'টাকা দেওয়ার পর TxnID লিখুন'],
    fields: { paymentMethod: 'NAGAD_PAYMENT' },
  },
  {
    name: 'cash-out',
    says: ['After paying, enter the TrxID', 'টাকা দেওয়ার পর TrxID লিখুন'],
    fields: { paymentMethod: 'BKASH_CASHOUT' },
  },
  { name: 'trx-used', says: ['already been used', 'আগেই অন্য পেমেন্টে'], query: '&step=trx&notice=used' },
  {
    name: 'waiting',
    says: ['Waiting for the SMS', 'এসএমএসের অপেক্ষায়'],
    bring: ({ stories }, { id }) => stories.api.confirm(id, 'DKL4A1B2C3'),
  },
  { name: 'cancelled', says: ['Payment cancelled', 'আপনি বাতিল করেছেন'], query: '&step=cancelled' },
  {
    name: 'paid',
    says: ['Your payment has arrived', 'আপনার টাকা পৌঁছে গেছে'],
    bring: async ({ stories }, intent) => {
      await stories.pay(intent);
      await stories.says(intent, 'PAID');
    },
  },
  {
    name: 'review',
    says: ['Being checked by the shop', 'দোকান যাচাই করছে'],
    bring: ({ stories }, intent) => stories.payWrongly(intent),
  },
  {
    name: 'failed',
    says: ['This payment cannot be completed', 'এই পেমেন্ট আর সম্ভব নয়'],
    fields: { paymentMethod: 'NAGAD_CASHOUT' },
    bring: async ({ stories, controlPlane, merchant }, intent) => {
      const wallet = merchant.sandbox.receivers.find(({ paymentMethod }) => paymentMethod === 'NAGAD_CASHOUT');
      await controlPlane.run('set-receiver-account', { receiver: wallet?.id ?? '', active: 'false' });
      await stories.says(intent, 'FAILED');
    },
  },
  {
    name: 'rejected',
    says: ['Payment not accepted', 'পেমেন্ট গ্রহণ করা হয়নি'],
    bring: ({ stories, controlPlane }, intent) => stories.payInVain(intent, controlPlane),
  },
];

describe('the checkout page, in every state', () => {
  const system = readSystem(RUN_DIRECTORY);
  const controlPlane = new ControlPlane(RUN_DIRECTORY);
  let merchant: OwnMerchant;
  /** A replica that cannot fetch unknown intents, and allows few views. */
  let poor: OwnCheckout;
  let browser: Browser;
  let stories: CheckoutStories;
  /** One per language: they are looked at side by side, which takes half the time. */
  let opened: { readonly page: Page; readonly complaints: string[] }[];
  let page: Page;

  beforeAll(async () => {
    [browser, merchant, poor] = await Promise.all([
      openBrowser(),
      ownMerchant(system, controlPlane),
      ownCheckout(RUN_DIRECTORY, { RATE_LIMIT_VIEWS_PER_MINUTE: '20', INTENT_API_URL: NOBODY }),
    ]);
    stories = new CheckoutStories(system, browser, merchant);
    opened = await Promise.all(LANGUAGES.map(() => stories.open('about:blank')));
    page = (opened[0] as { page: Page }).page;
  });
  beforeEach(() => opened.forEach(({ complaints }) => complaints.splice(0)));
  afterAll(async () => {
    await stories.close();
    await browser.close();
    await poor.stop();
  });

  const visit = (tab: Page, url: string) => tab.goto(url);

  /** Checks a URL in both languages after its text has appeared, and stores pictures. */
  async function expectReadable(name: string, address: string, says: State['says'], load = visit) {
    const look = async (tab: (typeof opened)[number], index: number) => {
      const language = LANGUAGES[index] ?? 'en';
      const answer = await load(tab.page, address.replace('language=', `language=${language}`));
      await tab.page
        .locator('main')
        .getByText(says[index] ?? '', { exact: false })
        .first()
        .waitFor();
      expect(await tab.page.locator('html').getAttribute('lang')).toBe(language);
      const faults = await faultsOf(tab, `${name}-${language}`);
      // The browser reports a page with a status other than 200 itself.
      expect(faults.filter((fault) => answer?.ok() === true || !fault.includes('responded with a status'))).toEqual([]);
    };
    await Promise.all(opened.map(look));
  }

  test("warns before paying while the shop's phone is offline, until it is online again", async () => {
    await stories.fallSilent();
    const intent = await stories.intent();
    const warning = page.getByText('The shop’s phone is offline right now.');
    // The state of phones is read once a second.
    const isWarned = async () => {
      await page.goto(stories.address(intent));
      return warning.isVisible();
    };
    await eventually(isWarned, 'the page warns');
    const says = ['The shop’s phone is offline right now.', 'দোকানের ফোনটি এখন অফলাইন'] as const;
    await expectReadable('phone-offline', stories.address(intent, '?language='), says);
    await stories.beat();
    await eventually(async () => !(await isWarned()), 'the page warns no more');
  });

  test.each([
    ['BKASH_PAYMENT', '#listening'],
    ['BKASH_SEND_MONEY', '#listening'],
    ['BKASH_CASHOUT', '#trx-form'],
    ['NAGAD_PAYMENT', '#trx-form'],
    ['NAGAD_SEND_MONEY', '#listening'],
    ['NAGAD_CASHOUT', '#trx-form'],
  ])(
    'shows countdown, values, steps and warning of %s on one phone screen, in the app and by USSD',
    async (paymentMethod, last) => {
      const intent = await stories.intent({ paymentMethod });
      const look = async (tab: Page, language: string) => {
        await tab.setViewportSize({ width: 390, height: 844 });
        await tab.goto(stories.address(intent, `?language=${language}`));
        await tab.evaluate('document.fonts.ready');
        for (const channel of ['by-app', 'by-ussd']) {
          await tab.locator(`label[for=${channel}]`).click();
          const bottoms = await tab.evaluate<number[]>(
            `['#clock', '.steps', ${JSON.stringify(last)}, '.pin'].map((part) => document.querySelector(part).getBoundingClientRect().bottom)`,
          );
          expect({ channel, fits: bottoms.map((bottom) => bottom <= 844) }).toEqual({
            channel,
            fits: Array(4).fill(true),
          });
        }
      };
      await Promise.all(opened.map((tab, index) => look(tab.page, LANGUAGES[index] ?? 'en')));
    },
  );

  test('shows all choices, their button and the warning on one phone screen', async () => {
    const intent = await stories.intent(UNCHOSEN);
    const look = async (tab: Page, language: string) => {
      await tab.setViewportSize({ width: 390, height: 844 });
      await tab.goto(stories.address(intent, `?language=${language}`));
      await tab.evaluate('document.fonts.ready');
      const [choices, ...bottoms] = await tab.evaluate<number[]>(
        `[document.querySelectorAll('.choice').length,
          ...['.choices', '#choose .primary', '.pin'].map((part) => document.querySelector(part).getBoundingClientRect().bottom)]`,
      );
      expect(choices).toBe(6);
      expect(bottoms.map((bottom) => bottom <= 844)).toEqual([true, true, true]);
    };
    await Promise.all(opened.map((tab, index) => look(tab.page, LANGUAGES[index] ?? 'en')));
  });

  test('explains each method in one line below its name, on every phone of 390 px', async () => {
    const intent = await stories.intent(UNCHOSEN);
    const look = async (tab: Page, language: string) => {
      await tab.setViewportSize({ width: 390, height: 844 });
      await tab.goto(stories.address(intent, `?language=${language}`));
      await tab.evaluate('document.fonts.ready');
      const hints = await tab.evaluate<{ lines: number; isBelow: boolean }[]>(
        `[...document.querySelectorAll('.option .hint')].map((hint) => {
          const range = document.createRange();
          range.selectNodeContents(hint);
          const name = hint.previousElementSibling.getBoundingClientRect();
          return { lines: range.getClientRects().length, isBelow: hint.getBoundingClientRect().top >= name.bottom };
        })`,
      );
      expect(hints).toEqual(Array(6).fill({ lines: 1, isBelow: true }));
    };
    await Promise.all(opened.map((tab, index) => look(tab.page, LANGUAGES[index] ?? 'en')));
  });

  test('aligns numbers, values and buttons of all steps, also of the one with a frame', async () => {
    const intent = await stories.intent({ paymentMethod: 'BKASH_PAYMENT' });
    for (const width of [320, 390, 768, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      await page.goto(stories.address(intent, '?language=en'));
      for (const channel of ['by-app', 'by-ussd']) {
        await page.locator(`label[for=${channel}]`).click();
        const steps = await page.evaluate<{ number: number; value: number; button: number; isBeside: boolean }[]>(
          `[...document.querySelectorAll('.steps li:has(.copy)')].filter(({ clientWidth }) => clientWidth > 0).map((step) => {
            const [value, button] = ['.value', '.copy'].map((part) => step.querySelector(part).getBoundingClientRect());
            return {
              number: step.getBoundingClientRect().left + step.clientLeft + parseFloat(getComputedStyle(step, '::before').left),
              value: value.left,
              button: button.right,
              isBeside: button.left > value.right && button.top < value.bottom,
            };
          })`,
        );
        expect(steps).toEqual(Array(3).fill({ ...steps[0], isBeside: true }));
      }
    }
  });

  test('breaks a heading into lines of similar length', async () => {
    for (const language of LANGUAGES) {
      for (const width of [320, 390]) {
        await page.setViewportSize({ width, height: 844 });
        await page.goto(`${system.baseUrl}/checkout/nonsense?language=${language}`);
        await page.evaluate('document.fonts.ready');
        const lines = await page.evaluate<number[]>(
          `(() => { const range = document.createRange(); range.selectNodeContents(document.querySelector('h1'));
            return [...range.getClientRects()].map(({ width }) => width); })()`,
        );
        expect(Math.min(...lines)).toBeGreaterThan(Math.max(...lines) / 2);
      }
    }
  });

  test('leaves no single word in the last line of the question above the form for a TrxID', async () => {
    const intent = await stories.intent();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(stories.address(intent, '?language=bn'));
    await page.evaluate('document.fonts.ready');
    const lines = await page.evaluate<number[]>(
      `(() => { const range = document.createRange(); range.selectNodeContents(document.querySelector('summary'));
        return [...range.getClientRects()].map(({ width }) => width); })()`,
    );
    expect(Math.min(...lines)).toBeGreaterThan(Math.max(...lines) / 3);
  });

  test('places contact and warning below the amount on a wide screen, beside the instructions', async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    for (const fields of [{}, UNCHOSEN]) {
      await page.goto(stories.address(await stories.intent(fields)));
      const [summary, footer, stage] = await page.evaluate<{ left: number; right: number; top: number }[]>(
        `['.summary', 'footer', '#stage'].map((part) => document.querySelector(part).getBoundingClientRect().toJSON())`,
      );
      expect([footer?.left, footer?.right]).toEqual([summary?.left, summary?.right]);
      expect(stage?.top).toBe(summary?.top);
      expect(stage?.left).toBeGreaterThan(summary?.right ?? Infinity);
    }
  });

  test('an address that names no payment has a header, a footer and the other language', async () => {
    const address = `${system.baseUrl}/checkout/nonsense?language=`;
    await expectReadable('nonsense', address, ['Payment page not found', 'পেমেন্ট পেজ পাওয়া যায়নি']);
    await page.getByRole('link', { name: 'বাংলা' }).click();
    await page.locator('html[lang=bn]').waitFor();
  });

  test.each(STATES)('$name is readable in both languages', async ({ name, says, fields, query, bring }) => {
    const intent = await stories.intent(fields);
    await bring?.({ stories, controlPlane, merchant }, intent);
    await expectReadable(name, stories.address(intent, `?language=${query ?? ''}`), says);
  });

  test('shows the longest countdown in one line at every width, beside the largest amount', async () => {
    const intent = await stories.intent({ amount: 9_999_999.99, ttlSeconds: 86_400 });
    for (const language of LANGUAGES) {
      for (const width of [320, 390, 768, 1280]) {
        await page.setViewportSize({ width, height: 844 });
        await page.goto(stories.address(intent, `?language=${language}`));
        const lines = await page.evaluate<number>(
          `(() => { const range = document.createRange(); range.selectNodeContents(document.querySelector('#clock')); return range.getClientRects().length; })()`,
        );
        expect(lines).toBe(1);
      }
    }
  });

  test('shows the countdown beside an everyday amount at every width', async () => {
    const intent = await stories.intent({ ttlSeconds: 3_600 });
    for (const width of [320, 390, 768, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      await page.goto(stories.address(intent, '?language=en'));
      const [amountBottom = 0, clockTop = 0] = await page.evaluate<number[]>(
        `['.amount', '#clock'].map((part) => document.querySelector(part).getBoundingClientRect())
          .map(({ top, bottom }, index) => (index === 0 ? bottom : top))`,
      );
      expect(clockTop).toBeLessThan(amountBottom);
    }
  });

  test('does not cover the chosen method with the button that appears', async () => {
    const intent = await stories.intent(UNCHOSEN);
    const { page: tab } = await stories.open(stories.address(intent));
    await tab.setViewportSize({ width: 320, height: 568 });
    const option = tab.locator('[value=BKASH_CASHOUT] + .option');
    await option.evaluate((element) => element.scrollIntoView({ block: 'end' }));
    await option.click();
    const [optionBottom = 0, buttonTop = 0] = await tab.evaluate<number[]>(
      `['[value=BKASH_CASHOUT] + .option', '#choose .primary'].map((part) => document.querySelector(part).getBoundingClientRect())
        .map(({ top, bottom }, index) => (index === 0 ? bottom : top))`,
    );
    expect(optionBottom).toBeLessThanOrEqual(buttonTop);
    await tab.context().close();
  });

  test('marks the chosen method by border and tick, and shows it first the next time', async () => {
    const [intent, next] = await Promise.all([stories.intent(UNCHOSEN), stories.intent(UNCHOSEN)]);
    const { page: tab } = await stories.open(stories.address(intent));
    const looks = () =>
      tab.evaluate<string[]>(
        `['NAGAD_SEND_MONEY', 'NAGAD_PAYMENT'].map((method) => document.querySelector('[value=' + method + '] + .option'))
          .map((option) => getComputedStyle(option).borderTopColor + ' ' + getComputedStyle(option, '::after').content)`,
      );
    const [before] = await looks();
    await tab.getByText('Nagad Send Money').click();
    const [chosen, other] = await looks();
    expect(chosen).toMatch(/^rgb\(11, 93, 78\) ""$/);
    expect([other, before]).toEqual([before, expect.stringMatching(/ none$/)]);

    await tab.getByRole('button', { name: 'Continue' }).click();
    await tab.getByRole('heading', { name: 'Nagad Send Money', exact: true }).waitFor();
    await tab.goto(stories.address(next));
    expect(await tab.locator('[name=paymentMethod]').first().getAttribute('value')).toBe('NAGAD_SEND_MONEY');
    expect(await tab.locator('input[name=paymentMethod]:checked').count()).toBe(0);
    await tab.context().close();
  });

  test('centres Bangla letters in a button', async () => {
    const intent = await stories.intent();
    await page.goto(stories.address(intent, '?language=bn'));
    await page.evaluate('document.fonts.ready');
    expect(Math.abs(await offsetOfLetters(page.locator('button.copy').first()))).toBeLessThan(0.06);
  });

  test('does not show the test notice for a payment of real money', async () => {
    const intent = await stories.intent({}, merchant.live);
    await expectReadable('live', stories.address(intent, '?language='), ['bKash Send Money', 'বিকাশ সেন্ড মানি']);
    expect(await page.getByText('Test payment').count()).toBe(0);
  });

  test('shows that it is temporarily unavailable, with the time to retry, and retries automatically', async () => {
    const address = `${poor.baseUrl}/checkout/00000000-0000-7000-8000-000000000000?language=`;
    await expectReadable('unavailable', address, ['Temporarily unavailable', 'একটু পরেই ফিরছি']);
    const { page: patient } = await stories.open('about:blank');
    await patient.clock.install();
    const answer = await patient.goto(address);
    expect(answer?.status()).toBe(503);
    expect(Number(answer?.headers()['retry-after'])).toBeGreaterThan(0);
    await patient.route(
      (url) => url.pathname.startsWith('/checkout/'),
      (route) => route.fulfill({ contentType: 'text/html', body: 'shown again' }),
    );
    await patient.clock.fastForward(16_000);
    await patient.getByText('shown again').waitFor();
    await patient.context().close();
  });

  test('shows how long to wait after too many views; the keyboard reaches all links, also to the other language', async () => {
    const intent = await stories.intent();
    const address = `${poor.baseUrl}/checkout/${intent.id}?language=`;
    const retryAfter = await eventually(async () => {
      const answer = await fetch(address);
      return answer.status === 429 && answer.headers.get('retry-after');
    }, 'it is too much');
    expect(Number(retryAfter)).toBeGreaterThan(0);
    // Meanwhile the limit may permit another view.
    const refused = async (tab: Page, url: string) =>
      eventually(async () => {
        const view = await tab.goto(url);
        return view?.status() === 429 && view;
      }, 'the page is refused');
    await expectReadable('too-many', address, ['Too many attempts', 'একটু অপেক্ষা করুন'], refused);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Try again');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await page.locator('html[lang=bn]').waitFor();
  });

  test('shows the shop’s logo and colour, with readable text on them', async () => {
    const undo = await stories.brand({ logo: LOGO, colour: '#ffd400' }, merchant.owner);
    const intent = await stories.intent();
    // The fact is kept for a moment, and the shop had another logo before.
    await eventually(async () => {
      await page.goto(stories.address(intent));
      return (await page.evaluate('document.querySelector(".shop img")?.naturalWidth')) === 2;
    }, 'the page has the new logo');
    const colours = await page.evaluate(
      '(({ backgroundColor, color }) => [backgroundColor, color])(getComputedStyle(document.querySelector(".top")))',
    );
    expect(colours).toEqual(['rgb(255, 212, 0)', 'rgb(0, 0, 0)']);
    expect(await faultsOf(opened[0] as Tab, 'branded-en')).toEqual([]);
    await undo();
  });

  test('is a page with an explanation for an unknown id', async () => {
    const address = `${system.baseUrl}/checkout/00000000-0000-7000-8000-000000000000?language=`;
    await expectReadable('unknown', address, ['Payment page not found', 'পেমেন্ট পেজ পাওয়া যায়নি']);
  });

  test('the intent’s language is the page’s, until the customer switches', async () => {
    const intent = await stories.intent({ language: 'bn' });
    await page.goto(stories.address(intent));
    await page.getByText('৳১,২৫০.৫০').waitFor();
    // Values to enter elsewhere are displayed as they have to be typed.
    await page.locator('.value', { hasText: '1250.50' }).waitFor();
    await page.getByRole('link', { name: 'English' }).click();
    await page.getByText('Tk 1,250.50').waitFor();
    await page.getByRole('link', { name: 'বাংলা' }).click();
    await page.getByText('৳১,২৫০.৫০').waitFor();
  });
});
