import { Group, Paper, Stack, Text } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ActionButton } from '../parts/action-button';
import { Form } from '../parts/form';
import { FailureAlert, SuccessAlert } from '../parts/page-states';
import { Heading } from '../parts/typography';
import { useMay } from '../session/session-context';
import { useSettingsWords } from './words';

interface FormProps {
  readonly title: string;
  readonly text: string;
  readonly save: Pick<UseMutationResult, 'isError' | 'error' | 'isSuccess' | 'isPending'>;
  /** The operation that stores it. */
  readonly action?: 'changeMerchant' | 'changeAlertSettings';
  readonly onSubmit: () => Promise<unknown> | undefined;
  readonly children: ReactNode;
  /** Shown below the button, also to users who may only read. */
  readonly after?: ReactNode;
}

/** A part of the settings with its own button. Its fields are disabled for users who may only read. */
export function SettingsForm({ title, text, save, action = 'changeMerchant', onSubmit, children, after }: FormProps) {
  const w = useSettingsWords();
  const may = useMay();
  const isEditable = may(action);
  return (
    <Paper withBorder p="md" component={Form} onSubmit={() => (isEditable ? onSubmit() : undefined)} aria-label={title}>
      <Heading>{title}</Heading>
      <Text c="dimmed" mb="sm">
        {text}
      </Text>
      <fieldset className="plain" disabled={!isEditable}>
        <Stack>
          {children}
          <FailureAlert error={save.error} />
          {save.isSuccess ? <SuccessAlert>{w.saved}</SuccessAlert> : null}
          {isEditable ? (
            <Group>
              <ActionButton action={[action]} type="submit" loading={save.isPending}>
                {w.save}
              </ActionButton>
            </Group>
          ) : null}
        </Stack>
      </fieldset>
      {after}
    </Paper>
  );
}
