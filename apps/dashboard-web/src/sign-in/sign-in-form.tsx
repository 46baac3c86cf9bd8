import { Alert, Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { ApiFailure } from '../api/api-failure';
import { controlled, Form, RequiredPasswordInput, RequiredTextInput } from '../parts/form';
import { useWords } from '../text/language';
import { useSession } from '../session/session-context';

interface SignInFormProps {
  readonly knownEmail?: string;
  /** Default: the first merchant of the person. */
  readonly merchantId?: string;
  /** The log-in also accepts it. The account is that of the invited address, so no e-mail is entered. */
  readonly invitation?: {
    readonly token: string;
    readonly wrong: string;
    readonly onAccepted: () => void;
  };
}

/** E-mail and password, then the second factor if the account has one. */
export function SignInForm({ knownEmail, merchantId, invitation }: SignInFormProps) {
  const session = useSession();
  const { t, failure } = useWords();
  const [email, setEmail] = useState(knownEmail ?? '');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [needsCode, setNeedsCode] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();

  async function submit() {
    setBusy(true);
    setProblem(undefined);
    try {
      const account = invitation ? { token: invitation.token } : { email, merchantId };
      await session.logIn({ ...account, password, ...(needsCode ? { code } : {}) });
      invitation?.onAccepted();
    } catch (error) {
      if (error instanceof ApiFailure && error.code === 'TOTP_REQUIRED' && !needsCode) setNeedsCode(true);
      else setProblem(sentenceOf(error));
    } finally {
      setBusy(false);
    }
  }

  function sentenceOf(error: unknown): string {
    if (!(error instanceof ApiFailure)) return String(error);
    if (error.status === 401 || error.status === 400) return invitation?.wrong ?? t.signIn.wrong;
    if (error.status === 429) return t.signIn.tooMany;
    return error.status === 0 ? t.states.network : failure(error);
  }

  return (
    <Form onSubmit={submit}>
      <Stack gap="md">
        {problem === undefined ? null : (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        )}
        {needsCode ? (
          <RequiredTextInput
            label={t.signIn.code}
            description={t.signIn.codeHint}
            name="code"
            autoComplete="one-time-code"
            {...controlled(code, setCode)}
            autoFocus
          />
        ) : (
          <>
            {invitation === undefined ? (
              <RequiredTextInput
                label={t.signIn.email}
                name="email"
                type="email"
                autoComplete="username"
                {...controlled(email, setEmail)}
                readOnly={knownEmail !== undefined}
                autoFocus={knownEmail === undefined}
              />
            ) : null}
            <RequiredPasswordInput
              label={t.signIn.password}
              name="password"
              autoComplete="current-password"
              {...controlled(password, setPassword)}
              autoFocus={knownEmail !== undefined || invitation !== undefined}
              // A dialog focuses its first field, the e-mail, otherwise.
              data-autofocus
            />
          </>
        )}
        <Button type="submit" loading={isBusy} fullWidth>
          {t.signIn.submit}
        </Button>
        {needsCode && invitation === undefined ? (
          <Button variant="subtle" onClick={() => setNeedsCode(false)}>
            {t.signIn.back}
          </Button>
        ) : null}
      </Stack>
    </Form>
  );
}
