import { Alert, Anchor, Button, Group, Skeleton, Stack, Text, VisuallyHidden, type AlertProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { ApiFailure } from '../api/api-failure';
import { useUser } from '../session/session-context';
import { useWords } from '../text/language';
import { Heading } from './typography';

export function PageLoading() {
  const { t } = useWords();
  return (
    <Stack role="status" gap="sm">
      <VisuallyHidden>{t.states.loading}</VisuallyHidden>
      {[40, 64, 64, 64].map((height, index) => (
        <Skeleton key={index} height={height} radius="md" />
      ))}
    </Stack>
  );
}

/** The failure, its reason, and what the user can do. */
export function PageFailure({ error, retry }: { readonly error: unknown; readonly retry: () => void }) {
  const { t } = useWords();
  const failureText = useFailureText();
  const failure = error instanceof ApiFailure ? error : undefined;
  if (failure?.status === 404) return <Message title={t.states.notFoundTitle}>{t.states.notFound}</Message>;
  if (failure?.status === 403) return <NoPermission />;
  return (
    <Alert color="red" title={t.states.failedTitle} role="alert">
      <Text size="sm">{failureText(error)}</Text>
      {failure?.requestId ? (
        <Text size="xs" mt={4} className="identifier">
          {t.states.requestId(failure.requestId)}
        </Text>
      ) : null}
      <Button mt="sm" size="sm" variant="default" onClick={retry}>
        {t.states.retry}
      </Button>
    </Alert>
  );
}

export interface PendingProps {
  readonly query: { readonly isPending: boolean; readonly error: unknown; readonly refetch: () => unknown };
}

/** Shown instead of the data of a query that has none yet. */
export function Pending({ query }: PendingProps) {
  return query.isPending ? <PageLoading /> : <PageFailure error={query.error} retry={() => void query.refetch()} />;
}

/** Why an action failed; nothing without an error. */
export function FailureAlert({ error, ...props }: { readonly error: unknown } & AlertProps) {
  const failureText = useFailureText();
  if (error === null) return null;
  return (
    <Alert color="red" role="alert" {...props}>
      {failureText(error)}
    </Alert>
  );
}

/** What an action has done. */
export function SuccessAlert(props: AlertProps) {
  return <Alert color="green" role="status" {...props} />;
}

/** Shown instead of data that the role of the user may not see. */
export function NoPermission() {
  const { t } = useWords();
  const { role } = useUser();
  return <Message title={t.states.forbiddenTitle}>{t.states.forbidden(t.roles[role])}</Message>;
}

/** The sentence about a failed request in the language of the user, where the cause is known. */
export function useFailureText(): (error: unknown) => string {
  const { t, failure } = useWords();
  return (error) => {
    if (!(error instanceof ApiFailure)) return String(error);
    if (error.status === 0) return error.code === 'interrupted' ? t.states.interrupted : t.states.network;
    if (error.status === 503) return t.states.unavailable;
    return error.code === 'RATE_LIMITED' ? t.states.tooMany : failure(error);
  };
}

export function Message({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <Stack align="center" gap={4} py={48} px="sm">
      <Heading ta="center">{title}</Heading>
      <Text c="dimmed" ta="center">
        {children}
      </Text>
    </Stack>
  );
}

export function NoPage() {
  const { t } = useWords();
  return (
    <>
      <Message title={t.states.notFoundTitle}>{t.states.noPage}</Message>
      <Group justify="center">
        <Anchor component={Link} href="/">
          {t.states.home}
        </Anchor>
      </Group>
    </>
  );
}
