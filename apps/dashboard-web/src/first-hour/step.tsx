import { Group, Paper, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { ToneBadge } from '../parts/tone-badge';
import { Caption } from '../parts/typography';
import { useFirstHourWords } from './words';

interface StepProps {
  readonly name: string;
  readonly title: string;
  readonly text: string;
  /** Undefined: the role of the user does not see it. */
  readonly isDone: boolean | undefined;
  /** The action of the user for this step. */
  readonly children?: ReactNode;
}

/** One step with its state, which the system has verified. */
export function Step({ name, title, text, isDone, children }: StepProps) {
  const w = useFirstHourWords();
  return (
    <Paper component="li" withBorder p="md" mb="sm" data-step={name} data-done={String(isDone ?? false)}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Title order={2} size="h5">
          {title}
        </Title>
        <ToneBadge tone={isDone === true ? 'good' : 'neutral'}>
          {isDone === true ? `✓ ${w.done}` : isDone === false ? w.open : w.unknown}
        </ToneBadge>
      </Group>
      <Caption>{text}</Caption>
      {children === undefined ? null : (
        <Group mt="sm" gap="md">
          {children}
        </Group>
      )}
    </Paper>
  );
}
