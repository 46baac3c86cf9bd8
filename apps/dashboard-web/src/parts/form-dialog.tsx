import { Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useWords } from '../text/language';
import { Dialog } from './dialog';
import { Form } from './form';
import { FailureAlert } from './page-states';

interface Mutation {
  readonly isPending: boolean;
  readonly error: unknown;
}

/** The mutation that the form starts; its failure is shown above the buttons. `onSubmit` starts it otherwise. */
type Submission =
  | { readonly action: Mutation & { readonly mutateAsync: () => Promise<unknown> }; readonly onSubmit?: undefined }
  | { readonly action: Mutation; readonly onSubmit: () => Promise<unknown> | undefined };

type FormDialogProps = Submission & {
  readonly title: string;
  /** The effect of the action and whether it can be undone. */
  readonly consequences?: ReactNode;
  /** The label of the button; default: the title. */
  readonly submitText?: string;
  readonly isDestructive?: boolean;
  readonly isDisabled?: boolean;
  /** Shown instead of the failure of the mutation. */
  readonly failure?: ReactNode;
  readonly onClose: () => void;
  /** The fields of the form. */
  readonly children?: ReactNode;
};

/** A dialog that explains an action, has its fields and applies it. */
export function FormDialog(props: FormDialogProps) {
  const { title, consequences, submitText = title, isDestructive = false, isDisabled = false, action } = props;
  const { failure = <FailureAlert error={action.error} />, onClose, children } = props;
  const { t } = useWords();
  return (
    <Dialog title={title} onClose={onClose} closeLabel={t.exceptions.cancel}>
      <Form onSubmit={props.onSubmit === undefined ? props.action.mutateAsync : props.onSubmit}>
        <Stack>
          {consequences === undefined ? null : <Text>{consequences}</Text>}
          {children}
          {failure}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t.exceptions.cancel}
            </Button>
            <Button
              type="submit"
              loading={action.isPending}
              disabled={isDisabled}
              color={isDestructive ? 'red.8' : 'blue.8'}
            >
              {submitText}
            </Button>
          </Group>
        </Stack>
      </Form>
    </Dialog>
  );
}
