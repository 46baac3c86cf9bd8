import { Alert, Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { useCallback, useState } from 'react';
import { useWords } from '../text/language';
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
}

/**
 * A dialog with secrets that are shown only now. It is left by its button alone, after a value was copied or the user
 * has confirmed: the second click of a double click on the button before must not close it.
 */
export function ShownOnce({ title, warning, values, done, onClose }: ShownOnceProps) {
  const { t } = useWords();
  const [isStored, setStored] = useState(false);
  const onCopied = useCallback(() => setStored(true), []);
  return (
    <Dialog title={title} onClose={onClose}>
      <Stack>
        <Alert color="yellow">{warning}</Alert>
        {values.map(({ name, text }) => (
          <div key={name} data-testid="secret">
            <Text size="sm" fw={600}>
              {name}
            </Text>
            <Identifier text={text} name={name} onCopied={onCopied} />
          </div>
        ))}
        <Checkbox label={done} checked={isStored} onChange={(event) => setStored(event.currentTarget.checked)} />
        <Group justify="flex-end">
          <Button onClick={onClose} disabled={!isStored}>
            {t.states.close}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
