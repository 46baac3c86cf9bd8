import './shell/styles';
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { isTemporary } from './api/api-failure';
import { Session } from './session/session';
import { SessionProvider } from './session/session-context';
import { App } from './shell/app';
import { reloadAfterRelease } from './shell/release';
import { cssVariables, theme } from './shell/theme';
import { LanguageProvider } from './text/language';

const MOST_RETRIES = 2;
const FRESH_MS = 5_000;

const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
setNonce(nonce);

const session = new Session({
  fetch: (input, init) => fetch(input, init),
  // Without a secure context there is no lock; the server tolerates refreshes at the same moment.
  exclusively: (task) =>
    'locks' in navigator ? navigator.locks.request('dashboard.refresh', task) : (task as () => Promise<never>)(),
});
const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      retry: (failures, error) => failures < MOST_RETRIES && isTemporary(error),
    },
    // Without a network an action fails immediately instead of waiting, and the user repeats it.
    mutations: { retry: false, networkMode: 'always' },
  },
});

reloadAfterRelease();
void session.open();
const root = document.getElementById('root');
if (!root) throw new TypeError('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <LanguageProvider>
        <QueryClientProvider client={queries}>
          <SessionProvider value={session}>
            <Router base="/dashboard">
              <App />
            </Router>
          </SessionProvider>
        </QueryClientProvider>
      </LanguageProvider>
    </MantineProvider>
  </StrictMode>,
);
