import { Paper, Title, type PaperProps } from '@mantine/core';
import type { ReactNode } from 'react';

interface SectionProps extends PaperProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** A part of a page in a frame, with its heading. */
export function Section({ title, children, ...props }: SectionProps) {
  return (
    <Paper withBorder p="md" component="section" {...props}>
      <Title order={2} size="h4" mb="sm">
        {title}
      </Title>
      {children}
    </Paper>
  );
}
