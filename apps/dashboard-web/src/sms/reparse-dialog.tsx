import { Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { SmsReading, SmsStatus, TextProvider } from '@pay/contracts';
import { DataTable } from '../parts/data-table';
import { None, Time } from '../parts/facts';
import { FormDialog } from '../parts/form-dialog';
import { Pending } from '../parts/page-states';
import { useCall, useOperation } from '../session/session-context';
import { useWords } from '../text/language';
import { readingChanges, type ReadingField } from './reading-changes';
import { useReasonText } from './reasons';
import { useSmsWords } from './words';

interface DialogProps {
  readonly id: string;
  readonly onClose: () => void;
  readonly onApplied: () => void;
}

/** Shows what parsing a text again would change, and applies it. */
export function ReparseDialog({ id, onClose, onApplied }: DialogProps) {
  const w = useSmsWords();
  const { t } = useWords();
  const call = useCall();
  const preview = useOperation(['reparse', id], 'reparseSmsEvent', {
    params: { id },
    body: { dryRun: true },
    gcTime: 0,
    retry: false,
  });
  const apply = useMutation({
    mutationFn: () => call('reparseSmsEvent', { params: { id }, body: { dryRun: false } }),
    onSuccess: onApplied,
  });
  const canApply = preview.data?.outcome === 'changed';
  return (
    <FormDialog
      title={w.reparse}
      consequences={w.reparseText}
      submitText={canApply ? w.apply : t.exceptions.cancel}
      action={apply}
      onSubmit={() => {
        if (canApply) return apply.mutateAsync();
        onClose();
        return undefined;
      }}
      onClose={onClose}
    >
      {preview.data === undefined ? (
        <Pending query={preview} />
      ) : (
        <>
          <Text fw={600} role="status">
            {w.outcomes[preview.data.outcome]}
          </Text>
          {preview.data.after === null ? null : <Changes before={preview.data.before} after={preview.data.after} />}
          {canApply ? <Text size="sm">{w.applyText}</Text> : null}
        </>
      )}
    </FormDialog>
  );
}

function Changes({ before, after }: { readonly before: SmsReading; readonly after: SmsReading }) {
  const w = useSmsWords();
  const shown = useShownValue();
  return (
    <DataTable
      items={readingChanges(before, after).map((change) => ({ ...change, id: change.field }))}
      columns={[
        { title: w.field, cell: ({ field }) => w.fields[field] },
        { title: w.before, cell: (change) => shown(change.field, change.before) },
        { title: w.after, cell: (change) => shown(change.field, change.after), isBold: true },
      ]}
      verticalSpacing={4}
      aria-label={w.reparse}
    />
  );
}

const SUMS: readonly ReadingField[] = ['parsedAmount', 'parsedFee', 'parsedCommission', 'parsedBalance'];

function useShownValue(): (field: ReadingField, value: string | null) => ReactNode {
  const { t, money } = useWords();
  const w = useSmsWords();
  const reasonText = useReasonText();
  return (field, value) => {
    if (value === null) return <None />;
    if (SUMS.includes(field)) return money(value);
    const names: Partial<Record<ReadingField, Readonly<Record<string, string>>>> = {
      status: w.statuses satisfies Readonly<Record<SmsStatus, string>>,
      provider: w.providers satisfies Readonly<Record<TextProvider, string>>,
      paymentMethod: t.methods,
      direction: w.directions,
    };
    if (field === 'failureReason') return reasonText(value);
    if (field === 'providerTime') return <Time at={value} />;
    return names[field]?.[value] ?? <span className="identifier">{value}</span>;
  };
}
