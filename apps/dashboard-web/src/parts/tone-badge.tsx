import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';

export type Tone = 'good' | 'bad' | 'warning' | 'neutral';

/** A short state. Its colours have enough contrast in both colour schemes, and its text says the same. */
export function ToneBadge({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
  return (
    <Badge variant="outline" className="tone" data-tone={tone}>
      {children}
    </Badge>
  );
}
