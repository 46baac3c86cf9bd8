import { signToken, type Session } from '@pay/http';
import { issueAccessToken, readAccessToken } from './access-tokens';

const SECRET = 'dashboard-api alone has this';
const OLDER = 'dashboard-api signed with this before';
const session: Session = {
  userId: '0193a5b0-7c1e-7000-8000-00000000000b',
  merchantId: '0193a5b0-7c1e-7000-8000-00000000000a',
  role: 'REVIEWER',
  sessionId: 's1',
};
const { userId: sub, merchantId, role, sessionId: sid } = session;
const claims = { sub, merchantId, role, sid };
const names = { issuer: 'dashboard-api', audience: 'dashboard' };

it('issues an access token that is valid for 15 minutes and is read as its session', () => {
  const { accessToken, expiresIn } = issueAccessToken(SECRET, session);

  expect(expiresIn).toBe(900);
  expect(readAccessToken(SECRET, accessToken)).toEqual(session);
});

it('reads tokens of every secret of the list and signs with the first one', () => {
  expect(readAccessToken([SECRET, OLDER], issueAccessToken(OLDER, session).accessToken)).toEqual(session);
  expect(readAccessToken(SECRET, issueAccessToken([SECRET, OLDER], session).accessToken)).toEqual(session);
});

it.each([
  ['of another secret', issueAccessToken('x', session).accessToken],
  ['for another audience', signToken(SECRET, { ...names, audience: 'intent-api' }, { seconds: 60, claims })],
  ['of another issuer', signToken(SECRET, { ...names, issuer: 'intent-api' }, { seconds: 60, claims })],
  ['with an unknown role', signToken(SECRET, names, { seconds: 60, claims: { ...claims, role: 'ROOT' } })],
  ['that has expired', signToken(SECRET, names, { seconds: -1, claims })],
  ['that is no token', 'x'],
])('refuses a token %s', (_name, token) => {
  expect(readAccessToken(SECRET, token)).toBeUndefined();
});
