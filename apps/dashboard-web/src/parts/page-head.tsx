import { Anchor, Group, Text, Title } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';
import { Link } from 'wouter';

interface PageHeadProps {
  readonly title: string;
  readonly subtitle?: string;
  readonly back?: { readonly to: string; readonly text: string };
  readonly children?: ReactNode;
}

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
          <Title order={1} size="h2" className="page-title">
            {title}
          </Title>
          {subtitle === undefined ? null : <Text c="dimmed">{subtitle}</Text>}
        </div>
        {children}
      </Group>
    </header>
  );
}
