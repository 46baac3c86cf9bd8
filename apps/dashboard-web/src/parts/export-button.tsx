import { Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { Input } from '../api/operations';
import { useSession } from '../session/session-context';
import { useWords } from '../text/language';
import { RowButton } from './action-button';
import { saveFile } from './save-file';
import { useFailureText } from './page-states';

type ExportId = 'getDailyClose' | 'exportPayments' | 'exportSmsEvents' | 'exportDeliveries' | 'exportExceptions';

interface ButtonProps<Id extends ExportId> {
  readonly operation: Id;
  /** The filters of the list. */
  readonly query: NonNullable<Input<Id>['query']>;
  /** The label of the button; default: the one of all lists. */
  readonly label?: string;
}

/** Downloads a list or a close, with the filters of its page, as a CSV file. */
export function ExportButton<Id extends ExportId>({ operation, query, label }: ButtonProps<Id>) {
  const { t } = useWords();
  const session = useSession();
  const failureText = useFailureText();
  const save = useMutation({
    mutationFn: async () => saveFile(await session.fetch<ExportId>(operation, { query })),
  });
  return (
    <Group gap="xs">
      {save.isError ? (
        <Text size="sm" role="alert">
          {failureText(save.error)}
        </Text>
      ) : null}
      <RowButton action={[operation]} loading={save.isPending} onClick={() => save.mutate()}>
        {label ?? t.states.exportCsv}
      </RowButton>
    </Group>
  );
}
