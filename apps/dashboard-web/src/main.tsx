import './shell/styles';
import { MantineProvider } from '@mantine/core';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { Session } from './session/session';
import { SessionProvider } from './session/session-context';
import { App } from './shell/app';
import { reloadAfterRelease } from './shell/release';
import { cssVariables, theme } from './shell/theme';
import { LanguageProvider } from './text/language';

const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
setNonce(nonce);

const session = new Session({
  fetch: (input, init) => fetch(input, init),
  // Without a secure context there is no lock; the server tolerates refreshes at the same moment.
  exclusively: (task) =>
    'locks' in navigator ? navigator.locks.request('dashboard.refresh', task) : (task as () => Promise<never>)(),
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
        <SessionProvider value={session}>
          <Router base="/dashboard">
            <App />
          </Router>
        </SessionProvider>
      </LanguageProvider>
    </MantineProvider>
  </StrictMode>,
);
