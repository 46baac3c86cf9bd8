import { Alert, Box, Button, Container, Group, Paper, Title } from '@mantine/core';
import { Mark } from '../parts/mark';
import { Preferences } from '../parts/preferences';
import { Caption, Heading } from '../parts/typography';
import { useWords } from '../text/language';
import type { SignedOutReason } from '../session/session';
import { useSession } from '../session/session-context';
import { SignInForm } from './sign-in-form';

export function SignInPage({ reason }: { readonly reason: SignedOutReason | undefined }) {
  const session = useSession();
  const { t } = useWords();
  return (
    <Box component="main" mih="100vh" pt={{ base: 24, sm: 96 }}>
      <Container size={420}>
        <Group justify="center" mb="lg" gap="sm">
          <Mark />
          <Title order={1} size="h3">
            {t.product}
          </Title>
        </Group>
        <Paper withBorder p="lg" radius="md" shadow="xs">
          <Heading mb="md">{t.signIn.title}</Heading>
          {reason === undefined ? null : reason === 'not-confirmed' ? (
            <Alert mb="md" role="alert" color="red">
              {t.signIn.notConfirmed}
              <Button mt="sm" size="sm" variant="default" display="block" onClick={() => void session.logOut()}>
                {t.session.logOut}
              </Button>
            </Alert>
          ) : (
            <Alert mb="md" role="status">
              {reason === 'idle' ? t.signIn.idle : t.signIn.loggedOut}
            </Alert>
          )}
          <SignInForm />
          <Caption mt="md">{t.signIn.forgotten}</Caption>
        </Paper>
        <Group justify="center" mt="lg">
          <Preferences />
        </Group>
      </Container>
    </Box>
  );
}
