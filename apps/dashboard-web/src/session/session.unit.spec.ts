import { EventEmitter, once } from 'node:events';
import { ApiFailure } from '../api/api-failure';
import { IDLE_LOGOUT_MS, LastActivity } from './idle';
import { Session, type SessionDeps } from './session';

jest.mock(
  'virtual:operations',
  () => ({
    __esModule: true,
    default: {
      logIn: { method: 'post', path: '/v1/auth/login', roles: [] },
      logInWithInvitation: { method: 'post', path: '/v1/auth/invitations/login', roles: [] },
      logOut: { method: 'post', path: '/v1/auth/logout', roles: [] },
      refreshSession: { method: 'post', path: '/v1/auth/refresh', roles: [] },
      getOwnSession: { method: 'get', path: '/v1/auth/me', roles: [] },
    },
  }),
  { virtual: true },
);

const aUser = (id = 'u1', merchantId = 'm1') => ({ id, merchant: { id: merchantId, name: 'Shop' }, role: 'OWNER' });
const signedIn = (accessToken: string, user = aUser()) => json(200, { accessToken, expiresIn: 900, user });
const UNAUTHORIZED = () => json(401, { code: 'UNAUTHORIZED', message: 'no' });

function json(status: number, body: unknown): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
}

/** A browser profile with the time of the last activity, or without one. */
function lastActive(at: number | null = Date.now()): LastActivity {
  let stored = at === null ? null : String(at);
  return new LastActivity(() => ({ getItem: () => stored, setItem: (_, value) => (stored = value) }));
}

/** A server whose answers are given per path; it remembers the requests. */
function aServer(
  answers: Record<string, (token: string | undefined) => Response | Promise<Response>>,
  lastActivity = lastActive(),
  exclusively: SessionDeps['exclusively'] = (task) => task(),
) {
  const requests: string[] = [];
  const bodies: unknown[] = [];
  const fetch = (async (path: string, init: { headers: Record<string, string>; body?: string }) => {
    if (init.body !== undefined) bodies.push(JSON.parse(init.body));
    const token = init.headers['Authorization']?.replace('Bearer ', '');
    requests.push(`${path} ${token ?? '-'}`);
    return (answers[path] ?? UNAUTHORIZED)(token);
  }) as unknown as typeof globalThis.fetch;
  return { requests, bodies, session: new Session({ fetch, exclusively }, lastActivity) };
}

/** The lock that the tabs of a browser share. */
function aLock(): SessionDeps['exclusively'] {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const result = last.then(task);
    last = result.catch(() => undefined);
    return result;
  };
}

describe('Session', () => {
  it('is opened with the refresh cookie', async () => {
    const { session } = aServer({ '/v1/auth/refresh': () => signedIn('t1') });

    await session.open();

    expect(session.getState()).toMatchObject({ kind: 'signed-in', user: { id: 'u1' } });
  });

  it('is signed out without a cookie, and offers a retry without a network', async () => {
    const { session } = aServer({});
    await session.open();
    expect(session.getState()).toEqual({ kind: 'signed-out' });

    const offline = new Session(
      { fetch: () => Promise.reject(new TypeError('failed')), exclusively: (task) => task() },
      lastActive(),
    );
    await offline.open();
    expect(offline.getState()).toEqual({ kind: 'opening', failed: true });
  });

  it.each([
    ['too old', Date.now() - IDLE_LOGOUT_MS],
    ['unknown', null],
  ])('ends the server session without using the cookie when the last activity is %s', async (_, at) => {
    const { session, requests } = aServer(
      { '/v1/auth/refresh': () => signedIn('t1'), '/v1/auth/logout': () => json(200, { endedSessions: 1 }) },
      lastActive(at),
    );

    await session.open();

    expect(session.getState()).toEqual({ kind: 'signed-out', reason: 'idle' });
    expect(requests).toEqual(['/v1/auth/logout -']);
  });

  it('is signed out without a reason in a browser that has never had a session', async () => {
    const { session } = aServer({ '/v1/auth/logout': () => json(200, { endedSessions: 0 }) }, lastActive(null));

    await session.open();

    expect(session.getState()).toEqual({ kind: 'signed-out' });
  });

  it('offers a retry when the server cannot end the session of an unknown last activity', async () => {
    let isReachable = false;
    const { session, requests } = aServer(
      {
        '/v1/auth/refresh': () => signedIn('t1'),
        '/v1/auth/logout': () => (isReachable ? json(200, { endedSessions: 1 }) : json(503, {})),
      },
      lastActive(null),
    );

    await session.open();
    expect(session.getState()).toEqual({ kind: 'opening', failed: true });
    isReachable = true;
    await session.open();

    expect(session.getState()).toEqual({ kind: 'signed-out', reason: 'idle' });
    expect(requests).toEqual(['/v1/auth/logout -', '/v1/auth/logout -']);
  });

  it.each([
    ['too old', Date.now() - IDLE_LOGOUT_MS],
    ['unknown', null],
  ])('is opened in tabs that are opened during a log-in, when the activity before it was %s', async (_, at) => {
    let hasCookie = false;
    const logIn = new EventEmitter();
    const server = {
      '/v1/auth/login': async () => {
        // The browser has the cookie before the page has read the response.
        hasCookie = true;
        await once(logIn, 'answered');
        return signedIn('t1');
      },
      '/v1/auth/refresh': () => (hasCookie ? signedIn('t2') : UNAUTHORIZED()),
      '/v1/auth/logout': () => json(200, { endedSessions: 1 }),
    };
    const [lastActivity, lock] = [lastActive(at), aLock()];
    const [first, ...others] = Array.from({ length: 3 }, () => aServer(server, lastActivity, lock));

    const loggedIn = first?.session.logIn({ email: 'a@b.example', password: 'secret' });
    const opened = others.map(({ session }) => session.open());
    await new Promise(setImmediate);
    logIn.emit('answered');
    await Promise.all([loggedIn, ...opened]);

    for (const { session, requests } of others) {
      expect(session.getState()).toMatchObject({ kind: 'signed-in' });
      expect(requests).toEqual(['/v1/auth/refresh -']);
    }
  });

  it('does not end the session of a log-in in another tab when it becomes idle during that log-in', async () => {
    const logIn = new EventEmitter();
    const server = {
      '/v1/auth/login': async () => {
        await once(logIn, 'answered');
        return signedIn('t2');
      },
      '/v1/auth/refresh': () => signedIn('t1'),
      '/v1/auth/logout': () => json(200, { endedSessions: 1 }),
    };
    let now = Date.now();
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now);
    const [lastActivity, lock] = [lastActive(now), aLock()];
    const [idle, other] = [aServer(server, lastActivity, lock), aServer(server, lastActivity, lock)];
    await idle.session.open();
    now += IDLE_LOGOUT_MS;

    const loggedIn = other.session.logIn({ email: 'a@b.example', password: 'secret' });
    const loggedOut = idle.session.logOut('idle');
    await new Promise(setImmediate);
    logIn.emit('answered');
    await Promise.all([loggedIn, loggedOut]);
    clock.mockRestore();

    expect(idle.requests).toEqual(['/v1/auth/refresh -']);
    expect(idle.session.getState()).toEqual({ kind: 'signed-out', reason: 'idle' });
    expect(other.session.getState()).toMatchObject({ kind: 'signed-in' });
  });

  it('is opened with the refresh cookie when the last activity is recent', async () => {
    const recent = lastActive(Date.now() - IDLE_LOGOUT_MS / 2);
    const { session } = aServer({ '/v1/auth/refresh': () => signedIn('t1') }, recent);

    await session.open();

    expect(session.getState()).toMatchObject({ kind: 'signed-in' });
  });

  it('restarts the time of the last activity only when a log-in succeeds', async () => {
    let isCorrect = false;
    const old = lastActive(Date.now() - IDLE_LOGOUT_MS);
    const { session } = aServer({ '/v1/auth/login': () => (isCorrect ? signedIn('t1') : UNAUTHORIZED()) }, old);
    const credentials = { email: 'a@b.example', password: 'secret' };

    await expect(session.logIn(credentials)).rejects.toMatchObject({ status: 401 });
    expect(old.state()).toBe('idle');

    isCorrect = true;
    await session.logIn(credentials);
    expect(old.state()).toBe('active');
  });

  it('refreshes once for requests that are answered 401 together, and repeats them', async () => {
    let refreshes = 0;
    const { session, requests } = aServer({
      '/v1/auth/refresh': () => signedIn(`t${++refreshes}`),
      '/v1/auth/me': (token) => (token === 't1' ? UNAUTHORIZED() : json(200, { ok: token })),
    });
    await session.open();

    const answers = await Promise.all([1, 2, 3].map(() => session.call('getOwnSession', {})));

    expect(answers).toEqual([{ ok: 't2' }, { ok: 't2' }, { ok: 't2' }]);
    expect(requests.filter((line) => line.startsWith('/v1/auth/refresh'))).toHaveLength(2);
  });

  it('keeps requests waiting when it ends, and repeats them after the same user has logged in', async () => {
    let isOver = false;
    const { session } = aServer({
      '/v1/auth/refresh': () => (isOver ? UNAUTHORIZED() : signedIn('t1')),
      '/v1/auth/login': () => signedIn('t9'),
      '/v1/auth/me': (token) => (token === 't9' ? json(200, { ok: true }) : UNAUTHORIZED()),
    });
    await session.open();
    isOver = true;
    const waiting = session.call('getOwnSession', {});
    await untilKind(session, 'ended');

    await session.logIn({ email: 'a@b.example', password: 'secret' });

    await expect(waiting).resolves.toEqual({ ok: true });
  });

  it.each([
    ['another user', aUser('u2')],
    ['another merchant', aUser('u1', 'm2')],
  ])('does not repeat a waiting request as %s', async (_, next) => {
    let isOver = false;
    const { session, requests } = aServer({
      '/v1/auth/refresh': () => (isOver ? UNAUTHORIZED() : signedIn('t1')),
      '/v1/auth/login': () => signedIn('t9', next),
    });
    await session.open();
    isOver = true;
    const waiting = session.call('getOwnSession', {});
    const failure = waiting.catch((error: unknown) => error);
    await untilKind(session, 'ended');

    await session.logIn({ email: 'a@b.example', password: 'secret' });

    expect(await failure).toBeInstanceOf(ApiFailure);
    expect(requests).not.toContain('/v1/auth/me t9');
  });

  it('does not repeat a request at a merchant that another tab has switched to', async () => {
    let refreshes = 0;
    const { session, requests } = aServer({
      '/v1/auth/refresh': () => (++refreshes === 1 ? signedIn('t1') : signedIn('t2', aUser('u1', 'm2'))),
    });
    await session.open();

    await expect(session.call('getOwnSession', {})).rejects.toMatchObject({ code: 'MERCHANT_CHANGED' });
    expect(requests).not.toContain('/v1/auth/me t2');
  });

  it('accepts Bangla digits in the code of the second factor', async () => {
    const { session, bodies } = aServer({ '/v1/auth/login': () => signedIn('t1') });

    await session.logIn({ email: 'a@b.example', password: 'secret', code: '১২৩ ৪৫৬' });

    expect(bodies).toEqual([{ email: 'a@b.example', password: 'secret', code: '123 456' }]);
  });

  it('is opened by a log-in that accepts an invitation', async () => {
    const { session, requests, bodies } = aServer({ '/v1/auth/invitations/login': () => signedIn('t1') });

    await session.logIn({ token: 'invited', password: 'secret', code: '১২৩৪৫৬' });

    expect(session.getState()).toMatchObject({ kind: 'signed-in' });
    expect(requests).toEqual(['/v1/auth/invitations/login -']);
    expect(bodies).toEqual([{ token: 'invited', password: 'secret', code: '123456' }]);
  });

  it('explains validation errors, business errors and lost connections', async () => {
    const { session } = aServer({ '/v1/auth/login': () => json(400, { message: ['email is required', 'x'] }) });

    await expect(session.logIn({ email: '', password: '' })).rejects.toMatchObject({
      status: 400,
      code: 'VALIDATION',
      message: 'email is required\nx',
    });
  });

  it('ends immediately in this tab when the user logs out', async () => {
    const { session } = aServer({ '/v1/auth/refresh': () => signedIn('t1'), '/v1/auth/logout': () => json(200, {}) });
    await session.open();

    await session.logOut();

    expect(session.getState()).toEqual({ kind: 'signed-out', reason: 'logged-out' });
  });

  it('ends the server session when the last activity in all tabs is too old', async () => {
    let now = Date.now();
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now);
    const { session, requests } = aServer(
      { '/v1/auth/refresh': () => signedIn('t1'), '/v1/auth/logout': () => json(200, { endedSessions: 1 }) },
      lastActive(now),
    );
    await session.open();
    now += IDLE_LOGOUT_MS;

    await session.logOut('idle');
    clock.mockRestore();

    expect(session.getState()).toEqual({ kind: 'signed-out', reason: 'idle' });
    expect(requests).toEqual(['/v1/auth/refresh -', '/v1/auth/logout -']);
  });

  it.each([
    ['the request fails', () => Promise.reject(new TypeError('failed'))],
    ['the answer is 503', () => json(503, { code: 'UNAVAILABLE', message: 'no' })],
  ])('reports no success when %s, and ends the server session when the page is opened again', async (_, answer) => {
    const lastActivity = lastActive(Date.now());
    let isReachable = false;
    const server = {
      '/v1/auth/refresh': () => signedIn('t1'),
      '/v1/auth/logout': () => (isReachable ? json(200, { endedSessions: 1 }) : answer()),
    };
    const { session } = aServer(server, lastActivity);
    await session.open();

    await session.logOut();

    expect(session.getState()).toEqual({ kind: 'signed-out', reason: 'not-confirmed' });
    isReachable = true;
    const reopened = aServer(server, lastActivity);
    await reopened.session.open();
    expect(reopened.session.getState()).toMatchObject({ kind: 'signed-out' });
    expect(reopened.requests).toEqual(['/v1/auth/logout -']);
  });
});

function untilKind(session: Session, kind: string): Promise<void> {
  return new Promise((done) => {
    const check = () => {
      if (session.getState().kind === kind) done();
    };
    session.subscribe(check);
    check();
  });
}
