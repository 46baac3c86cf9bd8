import { MantineProvider } from '@mantine/core';
import type { Account, Role } from '@pay/contracts';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { prerenderToNodeStream } from 'react-dom/static';
import { Router, type BaseLocationHook } from 'wouter';
import { ApiFailure } from '../src/api/api-failure';
import type { OperationId } from '../src/api/operations';
import InvitationPage from '../src/people/invitation-page';
import type { Session, SessionState } from '../src/session/session';
import { SessionProvider } from '../src/session/session-context';
import { Shell } from '../src/shell/shell';
import { SessionEnded } from '../src/sign-in/session-ended';
import { LanguageProvider } from '../src/text/language';
import { beginDrawing, changesOfStates, forgetStates, lastDrawn, lastFocused, type Drawn } from './interaction';

/** Requests of one page that wait for the answers of others. */
const MOST_ROUNDS = 5;
const BASE = '/dashboard';

export interface PageRequest {
  /** Below /dashboard. Example: `/live/api-keys`. */
  readonly place: string;
  readonly role: Role;
  /** The log-in form is shown above the page. */
  readonly hasEnded?: boolean;
  /** No user is logged in. */
  readonly isSignedOut?: boolean;
  /** Called with the address that the page opens without a link. Default: nothing is opened. */
  readonly onNavigate?: (to: string) => void;
  /** The answer to a request of the page, `Refused` if the API refuses it. */
  readonly answer: (id: OperationId, input: object) => unknown;
}

/** A refusal of the API by its code. */
export interface Refused {
  readonly refused: string;
  /** Default: 409. */
  readonly status?: number;
}

export interface OpenPage {
  /** The HTML of the page after all its requests were answered. */
  draw(): Promise<string>;
  /** Requests all data of the page again. */
  reload(): Promise<void>;
  /** Follows a link within the dashboard. Components that the page keeps keep their states. */
  go(place: string): void;
  /** What the last drawing contains. */
  drawn(): Drawn;
  /** The label of the field that a form has focused last. */
  focused(): string;
  /** A number that grows with every change of the page by its user. */
  changes(): number;
  /** Takes these changes back. */
  reset(): void;
}

export function openPage({
  place,
  role,
  hasEnded = false,
  isSignedOut = false,
  onNavigate,
  answer,
}: PageRequest): OpenPage {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } });
  const user = userOf(role);
  const session = sessionOf(isSignedOut ? { kind: 'signed-out' } : { kind: 'signed-in', user }, answer);
  let at = place;
  const hook = onNavigate && (() => [`${BASE}${at.split('?')[0]}`, onNavigate] as ReturnType<BaseLocationHook>);
  forgetStates();

  async function draw(): Promise<string> {
    const failures: unknown[] = [];
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      beginDrawing();
      const before = changesOfStates();
      const { prelude } = await prerenderToNodeStream(
        <MantineProvider withCssVariables={false} withGlobalClasses={false}>
          <LanguageProvider>
            <QueryClientProvider client={queries}>
              <SessionProvider value={session}>
                <Router base={BASE} ssrPath={`${BASE}${at}`} {...(hook && { hook })}>
                  {at === '/invitations' ? <InvitationPage /> : <Shell />}
                  {hasEnded ? <SessionEnded user={user} /> : null}
                </Router>
              </SessionProvider>
            </QueryClientProvider>
          </LanguageProvider>
        </MantineProvider>,
        { onError: (error) => void failures.push(error) },
      );
      const html = await textOf(prelude);
      if (failures.length > 0) throw failures[0];
      const waiting = queries
        .getQueryCache()
        .getAll()
        .filter(
          ({ state, options }) => state.status === 'pending' && !('enabled' in options && options.enabled === false),
        );
      // A component may change its state while it is drawn; it is then drawn again.
      if (waiting.length === 0 && changesOfStates() === before) return html;
      await Promise.all(waiting.map((query) => query.fetch()));
    }
    throw new Error(`${at} asks for more after ${MOST_ROUNDS} rounds of requests`);
  }

  const go = (next: string) => void (at = next);
  const reload = () => queries.refetchQueries();
  return { draw, reload, go, drawn: lastDrawn, focused: lastFocused, changes: changesOfStates, reset: forgetStates };
}

function userOf(role: Role): Account {
  return {
    id: '01935002-0000-7000-8000-00000000c001',
    email: 'karim@shop.example',
    name: 'Karim',
    role,
    twoFactorEnabled: true,
    merchant: { id: '01935002-0000-7000-8000-00000000c002', name: 'Boi Bazar' },
  };
}

function sessionOf(state: SessionState, answer: PageRequest['answer']): Session {
  const ask = async (id: OperationId, input: object) => {
    await Promise.resolve();
    const given = answer(id, input);
    if (isRefused(given)) throw new ApiFailure(given.status ?? 409, given.refused, 'Refused.');
    return given;
  };
  const nothing = () => undefined;
  const session = {
    getState: () => state,
    subscribe: () => nothing,
    call: ask,
    fetch: ask,
    logIn: (body: object) => ask('token' in body ? 'logInWithInvitation' : 'logIn', { body }),
    switchMerchant: (merchantId: string) => ask('switchMerchant', { body: { merchantId } }),
    logOut: () => Promise.resolve(),
  };
  return session as unknown as Session;
}

function isRefused(answer: unknown): answer is Refused {
  return typeof answer === 'object' && answer !== null && 'refused' in answer;
}

async function textOf(stream: AsyncIterable<unknown>): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += String(chunk);
  return text;
}
