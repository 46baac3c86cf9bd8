import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Dialog } from './dialog';
import { Identifier } from './facts';

interface ShownOnceProps {
  readonly title: string;
  readonly warning: string;
  /** Each can be copied. */
  readonly values: readonly { readonly name: string; readonly text: string }[];
  /** The label by which the user confirms that the values are stored. */
  readonly done: string;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

/** A dialog with secrets that are shown only now. It is left by its button alone. */
export function ShownOnce({ title, warning, values, done, onClose, children }: ShownOnceProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <Stack>
        <Alert color="yellow">{warning}</Alert>
        {values.map(({ name, text }) => (
          <div key={name} data-testid="secret">
            <Text size="sm" fw={600}>
              {name}
            </Text>
            <Identifier text={text} name={name} />
          </div>
        ))}
        {children}
        <Group justify="flex-end">
          <Button onClick={onClose}>{done}</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
