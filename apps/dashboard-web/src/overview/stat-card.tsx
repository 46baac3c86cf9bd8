import { Anchor, Button, Paper, Skeleton, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useFailureText } from '../parts/page-states';
import { useWords } from '../text/language';

interface CardProps {
  /** Identifies the card in tests. */
  readonly name: string;
  readonly title: string;
  readonly to?: string;
  /** The request that the card shows. */
  readonly query: {
    readonly isPending: boolean;
    readonly isSuccess: boolean;
    readonly error: unknown;
    readonly refetch: () => unknown;
  };
  readonly value: ReactNode;
  readonly children: ReactNode;
}

/** One number with an explanation; it loads and fails separately. */
export function StatCard({ name, title, to, query, value, children }: CardProps) {
  const { t } = useWords();
  const failureText = useFailureText();
  return (
    <Paper withBorder p="md" component="section" data-card={name} aria-busy={query.isPending}>
      <Text component="h2" size="sm" fw={400} m={0}>
        {to === undefined ? (
          title
        ) : (
          <Anchor component={Link} href={to} inherit>
            {title}
          </Anchor>
        )}
      </Text>
      {query.isPending ? (
        <Skeleton height={52} mt={4} radius="md" />
      ) : query.isSuccess ? (
        <>
          <Text fw={700} size="xl" data-value>
            {value}
          </Text>
          <Text size="sm" c="dimmed" component="div">
            {children}
          </Text>
        </>
      ) : (
        <>
          <Text size="sm" role="alert">
            {failureText(query.error)}
          </Text>
          <Button variant="default" size="sm" mt="xs" onClick={() => void query.refetch()}>
            {t.states.retry}
          </Button>
        </>
      )}
    </Paper>
  );
}
