import { loadPages } from './load-pages';
import { exampleWith, pageUnderTest, type Answers } from './page-under-test';

/** Of the user of every page. */
const MERCHANT = '01935002-0000-7000-8000-00000000c002';
const OTHER = '01935002-0000-7000-8000-00000000c003';

/** All pages are bundled: seconds on a loaded machine. */
jest.setTimeout(60_000);

describe('the session of a person with several merchants', () => {
  let openPage: Awaited<ReturnType<typeof loadPages>>;
  beforeAll(async () => {
    openPage = await loadPages();
  });

  it('is continued at the merchant of the page when the person logs in again', async () => {
    const page = await pageUnderTest(openPage, '/live/overview', {}, { hasEnded: true });

    await page.enter('Password', 'correct-horse-battery-staple');
    await page.submit();

    expect(page.bodiesOf('logIn')).toEqual([
      { email: 'karim@shop.example', password: 'correct-horse-battery-staple', merchantId: MERCHANT },
    ]);
  });

  async function switched(answer: Answers['switchMerchant']) {
    const merchants = [MERCHANT, OTHER].map((id) => ({ id, name: `Shop ${id}`, role: 'OWNER' }));
    const page = await pageUnderTest(openPage, '/live/overview', {
      getOwnSession: () => exampleWith('getOwnSession', { merchants }),
      ...(answer && { switchMerchant: answer }),
    });
    await page.enter('Merchant', OTHER);
    return page;
  }
  const select = (html: string) => /<select[^>]*aria-label="Merchant".*?<\/select>/s.exec(html)?.[0];

  it('shows why it cannot be switched to another one', async () => {
    const page = await switched(() => ({ refused: 'SERVICE_UNAVAILABLE' }));

    expect(page.bodiesOf('switchMerchant')).toEqual([{ merchantId: OTHER }]);
    expect(page.html()).toMatch(/role="alert".*Refused\./s);
    expect(select(page.html())).toMatch(new RegExp(`value="${MERCHANT}" selected`));
    expect(select(page.html())).not.toContain('disabled');
  });

  it('shows the chosen one while it is being switched', async () => {
    const page = await switched(() => new Promise(() => undefined));

    expect(select(page.html())).toMatch(new RegExp(`value="${OTHER}" selected`));
    expect(select(page.html())).toContain('disabled');
  });
});
