import { Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useWords } from '../text/language';
import { Dialog } from './dialog';
import { Form } from './form';
import { FailureAlert } from './page-states';

interface FormDialogProps {
  readonly title: string;
  /** The effect of the action and whether it can be undone. */
  readonly consequences?: ReactNode;
  readonly submitText: string;
  readonly isDestructive?: boolean;
  /** The mutation that the form starts; its failure is shown above the buttons. */
  readonly action: { readonly isPending: boolean; readonly error: unknown };
  readonly onSubmit: () => Promise<unknown> | undefined;
  readonly onClose: () => void;
  /** The fields of the form. */
  readonly children?: ReactNode;
}

/** A dialog that explains an action, has its fields and applies it. */
export function FormDialog(props: FormDialogProps) {
  const { title, consequences, submitText, isDestructive = false, action, onSubmit, onClose, children } = props;
  const { t } = useWords();
  return (
    <Dialog title={title} onClose={onClose} closeLabel={t.exceptions.cancel}>
      <Form onSubmit={onSubmit}>
        <Stack>
          {consequences === undefined ? null : <Text>{consequences}</Text>}
          {children}
          <FailureAlert error={action.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t.exceptions.cancel}
            </Button>
            <Button type="submit" loading={action.isPending} color={isDestructive ? 'red.8' : 'blue.8'}>
              {submitText}
            </Button>
          </Group>
        </Stack>
      </Form>
    </Dialog>
  );
}
