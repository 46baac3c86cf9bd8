import { Button, Stack, Text } from '@mantine/core';
import type { Account } from '@pay/contracts';
import { Dialog } from '../parts/dialog';
import { useWords } from '../text/language';
import { useSession } from '../session/session-context';
import { SignInForm } from './sign-in-form';

/** The log-in form above the page, so that entered values are kept. */
export function SessionEnded({ user }: { readonly user: Account }) {
  const session = useSession();
  const { t } = useWords();
  return (
    <Dialog title={t.signIn.endedTitle} onClose={() => undefined}>
      <Stack>
        <Text>{t.signIn.endedText}</Text>
        <SignInForm knownEmail={user.email} merchantId={user.merchant.id} />
        <Button variant="subtle" onClick={() => void session.logOut()}>
          {t.session.logOut}
        </Button>
      </Stack>
    </Dialog>
  );
}
