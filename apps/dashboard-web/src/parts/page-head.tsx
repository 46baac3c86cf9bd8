import { Anchor, Group, Text, Title } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';
import { Link } from 'wouter';
import { Pending, type PendingProps } from './page-states';

interface PageHeadProps {
  readonly title: string;
  readonly subtitle?: string;
  readonly back?: { readonly to: string; readonly text: string };
  readonly children?: ReactNode;
}

/** Longer titles are addresses of endpoints, which would fill the screen of a phone. */
const MOST_LARGE = 40;

/** The heading of a page, which is also the title of the window. */
export function PageHead({ title, subtitle, back, children }: PageHeadProps) {
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <header>
      {back === undefined ? null : (
        <Anchor component={Link} href={back.to} size="sm">
          ← {back.text}
        </Anchor>
      )}
      <Group justify="space-between" align="center" mb="md" gap="xs">
        <div>
          <Title order={1} size={title.length > MOST_LARGE ? 'h4' : 'h2'} className="page-title">
            {title}
          </Title>
          {subtitle === undefined ? null : <Text c="dimmed">{subtitle}</Text>}
        </div>
        {children}
      </Group>
    </header>
  );
}

/** Shown instead of the page of an object that is not known yet. */
export function PendingPage({ query, ...head }: PageHeadProps & PendingProps) {
  return (
    <>
      <PageHead {...head} />
      <Pending query={query} />
    </>
  );
}
