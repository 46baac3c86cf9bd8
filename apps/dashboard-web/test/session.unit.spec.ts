import { loadPages } from './load-pages';
import { pageUnderTest } from './page-under-test';

/** Of the user of every page. */
const MERCHANT = '01935002-0000-7000-8000-00000000c002';

/** All pages are bundled: seconds on a loaded machine. */
jest.setTimeout(60_000);

describe('the session of a person with several merchants', () => {
  let openPage: Awaited<ReturnType<typeof loadPages>>;
  beforeAll(async () => {
    openPage = await loadPages();
  });

  it('is continued at the merchant of the page when the person logs in again', async () => {
    const page = await pageUnderTest(openPage, '/live/overview', {}, true);

    await page.enter('Password', 'correct-horse-battery-staple');
    await page.submit();

    expect(page.bodiesOf('logIn')).toEqual([
      { email: 'karim@shop.example', password: 'correct-horse-battery-staple', merchantId: MERCHANT },
    ]);
  });
});
