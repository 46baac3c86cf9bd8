import { Paper, type PaperProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { Heading } from './typography';

interface SectionProps extends PaperProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** A part of a page in a frame, with its heading. */
export function Section({ title, children, ...props }: SectionProps) {
  return (
    <Paper withBorder p="md" component="section" {...props}>
      <Heading mb="sm">{title}</Heading>
      {children}
    </Paper>
  );
}
