import { Group, Paper, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ActionButton } from '../parts/action-button';
import { Time } from '../parts/facts';
import { controlled, RequiredPasswordInput } from '../parts/form';
import { FormDialog } from '../parts/form-dialog';
import { PageHead } from '../parts/page-head';
import { Pending, SuccessAlert } from '../parts/page-states';
import { Section } from '../parts/section';
import { SectionTabs } from '../parts/section-pages';
import { ToneBadge } from '../parts/tone-badge';
import { Heading } from '../parts/typography';
import { useCall, useOperation } from '../session/session-context';
import { useWords } from '../text/language';
import { DisableFactorDialog, EnrolDialog } from './factor-dialogs';
import { CurrentPasswordField } from './current-password-field';
import { Sessions } from './sessions';
import { usePeopleWords } from './words';

type Asking = 'enrol' | 'disable' | 'password' | 'forget';

/** The account of the user: second factor, password, session and notices. */
export function AccountPage() {
  const { account: w } = usePeopleWords();
  const { count, language } = useWords();
  const queries = useQueryClient();
  const [asking, setAsking] = useState<Asking>();
  const [done, setDone] = useState<string>();
  const own = useOperation(['own-session', language], 'getOwnSession', { query: { language } });
  const close = (message?: string) => {
    setAsking(undefined);
    setDone(message);
    for (const key of ['own-session', 'own-sessions']) void queries.invalidateQueries({ queryKey: [key] });
  };
  if (own.data === undefined) return <Pending query={own} />;
  const { user, recoveryCodesLeft, notices } = own.data;
  const isOn = user.twoFactorEnabled;
  return (
    <>
      <PageHead title={w.title} subtitle={w.subtitle} />
      <SectionTabs />
      {done === undefined ? null : <SuccessAlert mb="md">{done}</SuccessAlert>}
      <Stack>
        <Paper withBorder p="md" component="section">
          <Group justify="space-between">
            <Group gap="sm">
              <Heading>{w.factor}</Heading>
              <ToneBadge tone={isOn ? 'good' : 'warning'}>{isOn ? w.factorOn : w.factorOff}</ToneBadge>
            </Group>
            <ActionButton
              action={[isOn ? 'disableTwoFactor' : 'enrolTwoFactor']}
              variant="default"
              onClick={() => setAsking(isOn ? 'disable' : 'enrol')}
            >
              {isOn ? w.disable : w.enable}
            </ActionButton>
          </Group>
          <Text mt="xs">{isOn ? w.codesLeft(count(recoveryCodesLeft)) : w.factorText}</Text>
        </Paper>
        <Section title={w.password}>
          <Text mb="sm" className="identifier">
            {user.email}
          </Text>
          <Group gap="sm">
            <ActionButton action={['changePassword']} variant="default" onClick={() => setAsking('password')}>
              {w.changePassword}
            </ActionButton>
            <ActionButton action={['forgetKnownBrowsers']} variant="default" onClick={() => setAsking('forget')}>
              {w.forget}
            </ActionButton>
          </Group>
        </Section>
        <Sessions onEnded={setDone} />
        {notices.length === 0 ? null : (
          <Section title={w.notices}>
            {notices.map(({ id, message, at }) => (
              <Text key={id} mb="sm">
                {message}{' '}
                <Text span size="sm" c="dimmed">
                  <Time at={at} />
                </Text>
              </Text>
            ))}
          </Section>
        )}
      </Stack>
      {asking === 'enrol' ? <EnrolDialog onClose={close} /> : null}
      {asking === 'disable' ? <DisableFactorDialog onClose={close} /> : null}
      {asking === 'password' ? <PasswordDialog onClose={close} /> : null}
      {asking === 'forget' ? <ForgetDialog onClose={close} /> : null}
    </>
  );
}

type Close = (message?: string) => void;

function PasswordDialog({ onClose }: { readonly onClose: Close }) {
  const { account: w } = usePeopleWords();
  const { count } = useWords();
  const call = useCall();
  const [currentPassword, setCurrent] = useState('');
  const [newPassword, setNew] = useState('');
  const apply = useMutation({
    mutationFn: () => call('changePassword', { body: { currentPassword, newPassword } }),
    onSuccess: ({ endedSessions }) => onClose(w.ended(count(endedSessions))),
  });
  return (
    <FormDialog title={w.changePassword} consequences={w.changePasswordText} action={apply} onClose={() => onClose()}>
      <CurrentPasswordField {...controlled(currentPassword, setCurrent)} />
      <RequiredPasswordInput
        label={w.newPassword}
        description={w.newPasswordHint}
        {...controlled(newPassword, setNew)}
        autoComplete="new-password"
      />
    </FormDialog>
  );
}

function ForgetDialog({ onClose }: { readonly onClose: Close }) {
  const { account: w } = usePeopleWords();
  const call = useCall();
  const apply = useMutation({
    mutationFn: () => call('forgetKnownBrowsers', {}),
    onSuccess: () => onClose(),
  });
  return <FormDialog title={w.forget} consequences={w.forgetText} action={apply} onClose={() => onClose()} />;
}
