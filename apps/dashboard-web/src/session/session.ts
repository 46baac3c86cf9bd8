import type { Account } from '@pay/contracts';
import { ApiFailure } from '../api/api-failure';
import { requestLine, type Input, type OperationId, type Output } from '../api/operations';
import { latinDigits } from '../text/whole-number';
import { LastActivity } from './idle';

/** `not-confirmed`: the server has not answered the log-out, so that its session may continue. */
export type SignedOutReason = 'idle' | 'logged-out' | 'not-confirmed';

/**
 * `opening`: the refresh cookie is being tried. `ended`: there was a session; the page stays open behind the log-in
 * dialog.
 */
export type SessionState =
  | { readonly kind: 'opening'; readonly failed?: boolean }
  | { readonly kind: 'signed-out'; readonly reason?: SignedOutReason }
  | { readonly kind: 'signed-in'; readonly user: Account }
  | { readonly kind: 'ended'; readonly user: Account };

interface Tokens {
  readonly accessToken: string;
  readonly user: Account;
}

export interface SessionDeps {
  readonly fetch: typeof globalThis.fetch;
  /** Runs one task at a time in all tabs of this browser, which share the refresh token and the last activity. */
  readonly exclusively: <T>(task: () => Promise<T>) => Promise<T>;
}

/**
 * The session of this tab: the access token is only in memory, the refresh token is a cookie that scripts cannot read.
 * A request that is answered with 401 refreshes the session once and is repeated, or waits for a new log-in.
 */
export class Session {
  private state: SessionState = { kind: 'opening' };
  private accessToken: string | undefined;
  private refreshing: Promise<boolean> | undefined;
  private readonly listeners = new Set<() => void>();
  private readonly waiting = new Set<(isSignedIn: boolean) => void>();

  constructor(
    private readonly deps: SessionDeps,
    readonly lastActivity = new LastActivity(() => localStorage),
  ) {}

  readonly getState = (): SessionState => this.state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Tries the refresh cookie when the page is opened, unless the last activity in this browser is old or unknown. */
  async open(): Promise<void> {
    this.become({ kind: 'opening' });
    try {
      const ended = await this.endIfIdle();
      if (ended !== undefined) this.become({ kind: 'signed-out', ...(ended > 0 && { reason: 'idle' }) });
      else if (!(await this.refresh())) this.become({ kind: 'signed-out' });
    } catch {
      this.become({ kind: 'opening', failed: true });
    }
  }

  /** With the token of an invitation, the log-in also accepts it. */
  async logIn({ code, ...rest }: Input<'logIn' | 'logInWithInvitation'>['body']): Promise<void> {
    const id = 'token' in rest ? 'logInWithInvitation' : 'logIn';
    const body = typeof code === 'string' ? { ...rest, code: latinDigits(code) } : rest;
    // Otherwise a tab that is opened meanwhile could end the new session, because the old time is still stored.
    const tokens = await this.deps.exclusively(async () => {
      const answer = await bodyOf<Output<typeof id>>(await this.send(id, { body }, undefined));
      this.lastActivity.restart();
      return answer;
    });
    this.accept(tokens);
  }

  async switchMerchant(merchantId: string): Promise<void> {
    this.accept(await this.call('switchMerchant', { body: { merchantId } }));
  }

  async logOut(reason: 'idle' | 'logged-out' = 'logged-out'): Promise<void> {
    // A log-in in another tab may have replaced the idle session; the cookie belongs to the new one.
    const ended = reason === 'idle' ? this.endIfIdle() : this.end();
    // The cookie is removed by the server; without network the session still ends in this tab.
    const isConfirmed = await ended.then(
      () => true,
      () => false,
    );
    // The cookie still works: the page logs out again instead of using it when it is opened.
    if (!isConfirmed) this.lastActivity.expire();
    this.accessToken = undefined;
    this.become({ kind: 'signed-out', reason: isConfirmed ? reason : 'not-confirmed' });
    this.release(false);
  }

  /** The body of the successful response; throws ApiFailure otherwise. */
  async call<Id extends OperationId>(id: Id, input: Input<Id>, signal?: AbortSignal): Promise<Output<Id>> {
    return bodyOf<Output<Id>>(await this.request(id, input, signal));
  }

  /** The response itself, of a stream or a file. Throws ApiFailure if it is not successful. */
  async fetch<Id extends OperationId>(id: Id, input: Input<Id>, signal?: AbortSignal): Promise<Response> {
    const answer = await this.request(id, input, signal);
    if (!answer.ok) throw await ApiFailure.of(answer);
    return answer;
  }

  private async request<Id extends OperationId>(id: Id, input: Input<Id>, signal?: AbortSignal): Promise<Response> {
    const caller = this.user();
    for (;;) {
      const token = this.accessToken;
      const answer = await this.send(id, input, token, signal);
      if (answer.status !== 401) return answer;
      if (this.accessToken === token && !(await this.refresh())) await this.untilSignedIn();
      // Another tab may have switched the session to another merchant: the request was not meant for that one.
      if (!isSame(caller, this.user())) throw new ApiFailure(409, 'MERCHANT_CHANGED', 'The session changed.');
    }
  }

  /** The number of ended sessions, or undefined if the last activity is recent. */
  private endIfIdle(): Promise<number | undefined> {
    return this.deps.exclusively(async () => {
      if (this.lastActivity.state() !== 'idle') return undefined;
      return this.end();
    });
  }

  private async end(): Promise<number> {
    return (await bodyOf<Output<'logOut'>>(await this.send('logOut', {}, undefined))).endedSessions;
  }

  private user(): Account | undefined {
    return this.state.kind === 'signed-in' || this.state.kind === 'ended' ? this.state.user : undefined;
  }

  /** One refresh at a time: requests that are answered 401 together share it. */
  private refresh(): Promise<boolean> {
    this.refreshing ??= this.deps
      .exclusively(async () => {
        const answer = await this.send('refreshSession', {}, undefined);
        if (answer.status === 401) return false;
        this.accept(await bodyOf<Output<'refreshSession'>>(answer));
        return true;
      })
      .finally(() => (this.refreshing = undefined));
    return this.refreshing;
  }

  private async untilSignedIn(): Promise<void> {
    if (this.state.kind === 'signed-in') this.become({ kind: 'ended', user: this.state.user });
    const isSignedIn = this.state.kind === 'ended' && (await new Promise<boolean>((done) => this.waiting.add(done)));
    if (!isSignedIn) throw new ApiFailure(401, 'UNAUTHORIZED', 'The session has ended. Log in again.');
  }

  private accept({ accessToken, user }: Tokens): void {
    this.accessToken = accessToken;
    const before = this.state;
    this.become({ kind: 'signed-in', user });
    // Requests of the previous user must not be repeated as another user or at another merchant.
    this.release(before.kind !== 'ended' || isSame(before.user, user));
  }

  private release(isSignedIn: boolean): void {
    for (const done of this.waiting) done(isSignedIn);
    this.waiting.clear();
  }

  private become(state: SessionState): void {
    this.state = state;
    for (const listener of this.listeners) listener();
  }

  private async send<Id extends OperationId>(
    id: Id,
    { params, query, body }: { params?: unknown; query?: unknown; body?: unknown },
    token: string | undefined,
    signal?: AbortSignal,
  ): Promise<Response> {
    const { method, path } = requestLine(id, params as Record<string, unknown>, query as Record<string, string>);
    const headers: Record<string, string> = { 'X-Requested-With': 'dashboard' };
    if (token !== undefined) headers['Authorization'] = `Bearer ${token}`;
    if (body !== undefined) headers['Content-Type'] = 'application/json';
    try {
      return await this.deps.fetch(path, {
        method,
        headers,
        credentials: 'same-origin',
        cache: 'no-store',
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(signal ? { signal } : {}),
      });
    } catch (error) {
      if (signal?.aborted) throw error;
      throw ApiFailure.network();
    }
  }
}

function isSame(one: Account | undefined, other: Account | undefined): boolean {
  return one?.id === other?.id && one?.merchant.id === other?.merchant.id;
}

async function bodyOf<Body>(answer: Response): Promise<Body> {
  if (!answer.ok) throw await ApiFailure.of(answer);
  return (answer.status === 204 ? undefined : await answer.json()) as Body;
}
