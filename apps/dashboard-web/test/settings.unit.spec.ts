import { ApiFailure } from '../src/api/api-failure';
import { loadPages } from './load-pages';
import { EXAMPLES, exampleWith, pageUnderTest, type Answers } from './page-under-test';

/** All pages are bundled: seconds on a loaded machine. */
jest.setTimeout(60_000);

describe('settings that several people change', () => {
  let openPage: Awaited<ReturnType<typeof loadPages>>;
  beforeAll(async () => {
    openPage = await loadPages();
  });

  /** A page over a merchant that other people change with `change`, and its own requests. */
  async function opened(place: string, stored: object, answers: Answers = {}) {
    let merchant = { ...stored };
    const page = await pageUnderTest(openPage, place, {
      getMerchant: () => exampleWith('getMerchant', merchant),
      changeMerchant: () => exampleWith('getMerchant', merchant),
      ...answers,
    });
    const change = (fields: object) => void (merchant = { ...merchant, ...fields });
    const sent = () => page.bodiesOf('changeMerchant');
    return { ...page, change, sent };
  }

  const OPEN_SHOP = {
    name: 'Corner Shop',
    branding: { colour: '#0b5d4e' },
    checkout: { requirePayerDigits: false },
    evidenceRules: { reviewBalanceBreaks: false, reviewOlderThanHours: null, relaxedSignals: [] },
  };
  const PROTECTED = {
    checkout: { requirePayerDigits: true },
    evidenceRules: { reviewBalanceBreaks: true, reviewOlderThanHours: 24, relaxedSignals: [] },
  };

  it('only the changed field is sent, so that protections of another person stay on', async () => {
    const page = await opened('/sandbox/settings', OPEN_SHOP);
    page.change(PROTECTED);

    await page.enter('Colour', '#112233');
    await page.submit();

    expect(page.sent()).toEqual([
      { branding: { colour: '#112233' }, checkout: {} },
      { support: {} },
      { evidenceRules: {} },
    ]);
  });

  it('fields follow the stored values until the person changes them, and again when they are saved', async () => {
    const page = await opened('/sandbox/settings', OPEN_SHOP);
    await page.enter('Name of the shop', 'Boi Bazar');

    page.change({ ...PROTECTED, name: 'Corner Shop 2', support: { phone: '16247' } });
    await page.reload();
    expect(page.html()).toMatch(/value="Boi Bazar".*value="16247".*value="24"/s);

    page.change({ name: 'Boi Bazar' });
    await page.submit();
    page.change({ name: 'Corner Shop 3' });
    await page.reload();
    expect(page.html()).toContain('value="Corner Shop 3"');
    await page.submit();
    expect(page.sent().filter((body) => (body as { name?: string }).name !== undefined)).toHaveLength(1);
  });

  it('a field that is changed back to the stored value follows it again', async () => {
    const page = await opened('/sandbox/settings', OPEN_SHOP);

    await page.enter('Name of the shop', 'Boi Bazar');
    await page.enter('Name of the shop', 'Corner Shop');
    page.change({ name: 'Corner Shop 2' });
    await page.reload();

    expect(page.html()).toContain('value="Corner Shop 2"');
  });

  it.each([
    ['changed back', 'Corner Shop', 'saved', 'Corner Shop'],
    ['changed back', 'Corner Shop', 'refused', 'Corner Shop'],
    ['not changed', undefined, 'saved', 'Boi Bazar'],
    ['not changed', undefined, 'refused', 'Boi Bazar'],
  ])('a field that is %s (%s) while it is sent keeps its value when it is %s', async (_, value, result, shown) => {
    let answer = (_given: unknown): void => undefined;
    const answered = new Promise<unknown>((resolve) => (answer = resolve));
    const page = await opened('/sandbox/settings', OPEN_SHOP, { changeMerchant: () => answered });
    await page.enter('Name of the shop', 'Boi Bazar');
    await page.submit();

    if (value !== undefined) await page.enter('Name of the shop', value);
    page.change({ name: result === 'saved' ? 'Boi Bazar' : 'Corner Shop' });
    answer(
      result === 'saved' ? exampleWith('getMerchant', { name: 'Boi Bazar' }) : Promise.reject(ApiFailure.network()),
    );
    await page.reload();

    expect(page.html()).toContain(`value="${shown}"`);
  });

  it('only the signal that an owner relaxes is sent, and the dialog keeps its question', async () => {
    const page = await opened('/sandbox/settings', OPEN_SHOP);
    await page.toggle('Signs that are not reviewed in LIVE', 'balance');
    await page.submit();
    page.change({ evidenceRules: { relaxedSignals: ['balance'] } });
    await page.reload();

    await page.enter('Reason', 'Nagad changed its texts');
    await page.submit();

    expect(page.sent().at(-1)).toEqual({
      evidenceRules: { relaxedSignals: { balance: true } },
      reason: 'Nagad changed its texts',
    });
  });

  it('only the changed alert is sent', async () => {
    const page = await opened('/sandbox/settings', OPEN_SHOP);

    await page.toggle('Alert when', 'exceptions_waiting');
    await page.submit();

    expect(page.bodiesOf('changeAlertSettings')).toEqual([
      { environment: 'SANDBOX', kinds: { exceptions_waiting: true } },
    ]);
  });

  it('a payment method is disabled alone, also when another person disables it while the dialog is open', async () => {
    const page = await opened('/sandbox/receivers', { enabledMethods: ['BKASH_PAYMENT', 'NAGAD_PAYMENT'] });
    await page.click('changeMerchant Disable');
    const asks = page.html().split('role="dialog"')[1];

    page.change({ enabledMethods: [] });
    await page.reload();
    expect(page.html().split('role="dialog"')[1]).toBe(asks);
    await page.submit();

    expect(page.sent()).toEqual([{ enabledMethods: { BKASH_PAYMENT: false } }]);
  });

  describe('the dialog of a receiving number', () => {
    const STORED = { label: 'Shop counter', limits: { dailyAmount: '5000', monthlyAmount: null, dailyCount: 10 } };

    async function openedDialog() {
      const { data } = EXAMPLES['listReceiverAccounts'] as { readonly data: readonly object[] };
      let account = { ...data[0], ...STORED };
      const page = await opened('/sandbox/receivers', OPEN_SHOP, {
        listReceiverAccounts: () => exampleWith('listReceiverAccounts', { data: [account], total: 1 }),
      });
      await page.click('changeReceiverAccount');
      const change = async (fields: object) => {
        account = { ...account, ...fields };
        await page.reload();
      };
      return { ...page, change, sent: () => page.bodiesOf('changeReceiverAccount') };
    }

    it('sends only the label if only that is changed, so that limits of another person stay', async () => {
      const page = await openedDialog();

      await page.enter('Label', 'Stall');
      await page.change({ limits: { dailyAmount: '20000', monthlyAmount: null, dailyCount: null } });
      await page.submit();

      expect(page.sent()).toEqual([{ label: 'Stall' }]);
    });

    it('sends all limits if one is changed, the others as another person has changed them meanwhile', async () => {
      const page = await openedDialog();

      await page.enter('Payments per day', '12');
      await page.change({ label: 'Stall', limits: { dailyAmount: '20000', monthlyAmount: '90000', dailyCount: 10 } });
      await page.submit();

      expect(page.sent()).toEqual([{ limits: { dailyAmount: '20000', monthlyAmount: '90000', dailyCount: 12 } }]);
    });
  });
});
