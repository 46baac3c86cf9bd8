import { loadPages } from './load-pages';
import { exampleWith, pageUnderTest, type Answers } from './page-under-test';

const PASSWORD = 'correct-horse-battery-staple';
const TEXT = 'Enter the password of your account with the invited e-mail address.';
const TOTP_REQUIRED = { refused: 'TOTP_REQUIRED', status: 401 };

/** All pages are bundled: seconds on a loaded machine. */
jest.setTimeout(60_000);

describe('an invitation of a person who is not logged in', () => {
  let openPage: Awaited<ReturnType<typeof loadPages>>;
  beforeAll(async () => {
    openPage = await loadPages();
  });

  const invited = (answers?: Answers) => pageUnderTest(openPage, '/invitations', answers, { isSignedOut: true });

  it('creates an account', async () => {
    const page = await invited();
    await page.enter('New password', PASSWORD);
    await page.submit();

    expect(page.bodiesOf('acceptInvitation')).toEqual([{ token: 'token', password: PASSWORD }]);
    expect(page.html()).not.toContain(TEXT);
  });

  it('asks for the password of the account, and for its code, if the address has an account', async () => {
    const page = await invited({
      acceptInvitation: () => ({ refused: 'EMAIL_TAKEN' }),
      logInWithInvitation: (input) =>
        'code' in (input as { body: object }).body ? exampleWith('logInWithInvitation', {}) : TOTP_REQUIRED,
    });
    await page.enter('New password', 'a-new-password');
    await page.submit();
    expect(page.html()).toContain(TEXT);
    expect(page.html()).not.toContain('type="email"');

    await page.enter('Password', PASSWORD);
    await page.submit();
    await page.enter('Code', '123456');
    await page.submit();

    expect(page.bodiesOf('logInWithInvitation')).toEqual([
      { token: 'token', password: PASSWORD },
      { token: 'token', password: PASSWORD, code: '123456' },
    ]);
    expect(page.bodiesOf('logIn')).toEqual([]);
  });

  it('explains a refused log-in, and leads back to a new account', async () => {
    const page = await invited({ logInWithInvitation: () => ({ refused: 'UNAUTHORIZED', status: 401 }) });
    await page.click('I already have an account');
    await page.enter('Password', PASSWORD);
    await page.submit();
    expect(page.html()).toContain('The password or the code is wrong, or the invited e-mail address has no account.');

    expect(page.html()).toContain('href="/dashboard/"');
    await page.click('I have no account yet');

    expect(page.html()).toContain('Choose a password for your new account.');
  });

  it('opens the dashboard after the log-in that has accepted it', async () => {
    const page = await invited();
    await page.click('I already have an account');
    await page.enter('Password', PASSWORD);
    await page.submit();

    expect(page.opened()).toEqual(['/dashboard/']);
  });
});
