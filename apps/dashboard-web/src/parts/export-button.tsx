import { Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { Input } from '../api/operations';
import { useMay, useSession } from '../session/session-context';
import { useWords } from '../text/language';
import { saveFile } from './save-file';
import { useFailureText } from './page-states';

type ExportId = 'getDailyClose' | 'exportPayments' | 'exportSmsEvents' | 'exportDeliveries' | 'exportExceptions';

interface ButtonProps<Id extends ExportId> {
  readonly operation: Id;
  /** The filters of the list. */
  readonly query: NonNullable<Input<Id>['query']>;
  /** What the button says; that of all lists unless given. */
  readonly label?: string;
}

/** Downloads a list or a close, with the filters of its page, as a CSV file. */
export function ExportButton<Id extends ExportId>({ operation, query, label }: ButtonProps<Id>) {
  const { t } = useWords();
  const session = useSession();
  const may = useMay();
  const failureText = useFailureText();
  const save = useMutation({
    mutationFn: async () => saveFile(await session.fetch<ExportId>(operation, { query })),
  });
  if (!may(operation)) return null;
  return (
    <Group gap="xs">
      {save.isError ? (
        <Text size="sm" role="alert">
          {failureText(save.error)}
        </Text>
      ) : null}
      <Button variant="default" size="sm" loading={save.isPending} onClick={() => save.mutate()}>
        {label ?? t.states.exportCsv}
      </Button>
    </Group>
  );
}
