import { Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { Input } from '../api/operations';
import { useMay, useSession } from '../session/session-context';
import { useWords } from '../text/language';
import { saveFile } from './save-file';
import { useFailureText } from './page-states';

type ExportId = 'exportPayments' | 'exportSmsEvents' | 'exportDeliveries' | 'exportExceptions';

interface ButtonProps<Id extends ExportId> {
  readonly operation: Id;
  /** The filters of the list. */
  readonly query: NonNullable<Input<Id>['query']>;
}

/** Downloads the whole list with its filters as a CSV file. */
export function ExportButton<Id extends ExportId>({ operation, query }: ButtonProps<Id>) {
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
        {t.states.exportCsv}
      </Button>
    </Group>
  );
}
