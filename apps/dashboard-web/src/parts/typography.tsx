import { Text, Title, type TextProps, type TitleProps } from '@mantine/core';
import type { ReactNode } from 'react';

/** The heading of a part of a page. */
export function Heading(props: TitleProps) {
  return <Title order={2} size="h4" {...props} />;
}

/** Small text that explains or completes what is above it. */
export function Caption(props: TextProps & { readonly children: ReactNode }) {
  return <Text size="sm" c="dimmed" {...props} />;
}
