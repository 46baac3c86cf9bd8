import { Alert, Anchor, Box, Button, Container, Group, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, Redirect, useLocation } from 'wouter';
import { ApiFailure } from '../api/api-failure';
import { controlled, Form, RequiredPasswordInput } from '../parts/form';
import { FailureAlert, SuccessAlert } from '../parts/page-states';
import { SignInForm } from '../sign-in/sign-in-form';
import { useCall, useSessionState } from '../session/session-context';
import { Preferences } from '../parts/preferences';
import { Caption } from '../parts/typography';
import { useWords } from '../text/language';
import { usePeopleWords } from './words';

/** The page of the link in an invitation mail. The token is behind the #, which browsers do not send to servers. */
export default function InvitationPage() {
  const { invitation: w } = usePeopleWords();
  const state = useSessionState();
  const [token] = useState(() => location.hash.slice(1));
  // An invitation that was used is no longer in the address.
  if (token === '' && 'user' in state) return <Redirect to="/" replace />;
  return (
    <Box component="main" mih="100vh" pt={{ base: 24, sm: 96 }}>
      <Container size={420}>
        <Paper withBorder p="lg" radius="md" shadow="xs">
          <Title order={1} size="h3" mb="md">
            {w.title}
          </Title>
          {token === '' ? (
            <Alert color="yellow">{w.missing}</Alert>
          ) : 'user' in state ? (
            <Join token={token} email={state.user.email} />
          ) : (
            <Accept token={token} />
          )}
        </Paper>
        <Group justify="center" mt="lg">
          <Preferences />
        </Group>
      </Container>
    </Box>
  );
}

function Accept({ token }: { readonly token: string }) {
  const [, navigate] = useLocation();
  const { t } = useWords();
  const { invitation: w, account } = usePeopleWords();
  const call = useCall();
  const [password, setPassword] = useState('');
  const [name, setName] = useState('');
  const [hasAccount, setHasAccount] = useState(false);
  const accept = useMutation({
    mutationFn: () =>
      call('acceptInvitation', { body: { token, password, ...(name.trim() === '' ? {} : { name: name.trim() }) } }),
    onSuccess: () => history.replaceState(null, '', location.pathname),
    onError: (error) => {
      if (error instanceof ApiFailure && error.code === 'EMAIL_TAKEN') setHasAccount(true);
    },
  });
  if (accept.data !== undefined) {
    return (
      <Stack>
        <SuccessAlert>{w.accepted}</SuccessAlert>
        <SignInForm knownEmail={accept.data.email} />
      </Stack>
    );
  }
  if (hasAccount) {
    return (
      <Stack>
        <FailureAlert error={accept.error} />
        <Text>{w.accountText}</Text>
        <SignInForm invitation={{ token, wrong: w.wrong, onAccepted: () => navigate('/', { replace: true }) }} />
        <Button
          variant="subtle"
          onClick={() => {
            accept.reset();
            setHasAccount(false);
          }}
        >
          {w.noAccount}
        </Button>
        <Anchor component={Link} href="/">
          {w.toDashboard}
        </Anchor>
        <Caption>{t.signIn.forgotten}</Caption>
      </Stack>
    );
  }
  return (
    <Form onSubmit={() => accept.mutateAsync()}>
      <Stack>
        <Text>{w.text}</Text>
        <TextInput
          label={w.name}
          description={w.nameHint}
          {...controlled(name, setName)}
          maxLength={120}
          autoComplete="name"
        />
        <RequiredPasswordInput
          label={account.newPassword}
          description={account.newPasswordHint}
          {...controlled(password, setPassword)}
          autoComplete="new-password"
        />
        <FailureAlert error={accept.error} />
        <Button type="submit" loading={accept.isPending}>
          {w.accept}
        </Button>
        <Button
          variant="subtle"
          onClick={() => {
            accept.reset();
            setHasAccount(true);
          }}
        >
          {w.existing}
        </Button>
      </Stack>
    </Form>
  );
}

function Join({ token, email }: { readonly token: string; readonly email: string }) {
  const { invitation: w } = usePeopleWords();
  const call = useCall();
  const join = useMutation({ mutationFn: () => call('joinMerchant', { body: { token } }) });
  return (
    <Stack>
      {join.data === undefined ? (
        <Form onSubmit={() => join.mutateAsync()}>
          <Stack>
            <Text>{w.joinText(email)}</Text>
            <Button type="submit" loading={join.isPending}>
              {w.join}
            </Button>
          </Stack>
        </Form>
      ) : (
        <SuccessAlert>{w.joined(join.data.merchant.name)}</SuccessAlert>
      )}
      <FailureAlert error={join.error} />
      <Anchor component={Link} href="/">
        {w.toDashboard}
      </Anchor>
    </Stack>
  );
}
