import { Center, Loader, Stack, Text, Button } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useRoute } from 'wouter';
import { IdleGuard } from '../sign-in/idle-guard';
import { SessionEnded } from '../sign-in/session-ended';
import { useSession, useSessionState } from '../session/session-context';
import { SignInPage } from '../sign-in/sign-in-page';
import { useWords } from '../text/language';
import { OwnQueries } from './own-queries';
import { Shell } from './shell';

const InvitationPage = lazy(() => import('../people/invitation-page'));

/** Log-in page or dashboard, by the state of the session. */
export function App() {
  const session = useSession();
  const state = useSessionState();
  const { t } = useWords();
  const [isInvitation] = useRoute('/invitations');
  const owner = 'user' in state ? `${state.user.id} ${state.user.merchant.id}` : undefined;

  if (state.kind === 'opening') {
    return (
      <Center mih="100vh" component="main">
        {state.failed ? (
          <Stack align="center" p="md">
            <Text role="alert">{t.signIn.unreachable}</Text>
            <Button onClick={() => void session.open()}>{t.states.retry}</Button>
          </Stack>
        ) : (
          <Loader aria-label={t.signIn.opening} />
        )}
      </Center>
    );
  }
  if (isInvitation) {
    return (
      <OwnQueries key={owner}>
        <Suspense fallback={null}>
          <InvitationPage />
        </Suspense>
      </OwnQueries>
    );
  }
  if (state.kind === 'signed-out') return <SignInPage reason={state.reason} />;
  return (
    <OwnQueries key={owner}>
      <Shell />
      {state.kind === 'ended' ? <SessionEnded user={state.user} /> : <IdleGuard />}
    </OwnQueries>
  );
}
