import { NativeSelect, Text, TextInput } from '@mantine/core';
import type { Environment, PaymentMethod, ReceiverAccountResponse } from '@pay/contracts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { controlled, optionsOf, RequiredTextInput } from '../parts/form';
import { FormDialog } from '../parts/form-dialog';
import { useChanges } from '../parts/use-changes';
import { useCall } from '../session/session-context';
import { useWords } from '../text/language';
import { latinDigits } from '../text/whole-number';
import { limitsOf } from './limits';
import { OPERATION_OF, useReceiverWords, type ReceiverAction } from './words';

const MSISDN = /^(?:\+?880|0)?1[3-9]\d{8}$/;

interface DialogProps {
  readonly environment: Environment;
  readonly action: ReceiverAction;
  readonly account: ReceiverAccountResponse | undefined;
  readonly onClose: () => void;
}

/** Explains a change of a receiving number, has its fields and applies it. */
export function ReceiverDialog({ environment, action, account, onClose }: DialogProps) {
  const w = useReceiverWords();
  const { t } = useWords();
  const call = useCall();
  const [paymentMethod, setPaymentMethod] = useState<PaymentMethod>('BKASH_SEND_MONEY');
  const [msisdn, setMsisdn] = useState('');
  const { fields, change, save } = useChanges({
    label: account?.label ?? '',
    dailyAmount: account?.limits?.dailyAmount ?? '',
    monthlyAmount: account?.limits?.monthlyAmount ?? '',
    dailyCount: String(account?.limits?.dailyCount ?? ''),
  });
  const [isSubmitted, setSubmitted] = useState(false);
  const number = latinDigits(msisdn);
  const limits = limitsOf(fields);
  const apply = useMutation({
    mutationFn: async ({ label, ...changedLimits }: Partial<typeof fields>) => {
      const params = { id: account?.id ?? '' };
      const changed = {
        ...(label !== undefined && { label: label.trim() === '' ? null : label.trim() }),
        // The API replaces all limits together.
        ...(Object.keys(changedLimits).length > 0 && limits && { limits }),
      };
      switch (action) {
        case 'create':
          return call('createReceiverAccount', { body: { environment, paymentMethod, msisdn: number, ...changed } });
        case 'change':
          return call('changeReceiverAccount', { params, body: changed });
        case 'activate':
        case 'deactivate':
          return call(OPERATION_OF[action], { params });
      }
    },
    onSuccess: onClose,
  });
  const isNumber = MSISDN.test(number.replace(/[\s-]/g, ''));
  const hasFields = action === 'create' || action === 'change';
  return (
    <FormDialog
      title={account === undefined ? w.actions[action] : `${w.actions[action]}: ${account.msisdn}`}
      consequences={w.consequences[action]}
      submitText={w.actions[action]}
      isDestructive={action === 'deactivate'}
      action={apply}
      onSubmit={() => {
        setSubmitted(true);
        return (action !== 'create' || isNumber) && limits !== undefined ? save(apply.mutateAsync) : undefined;
      }}
      onClose={onClose}
    >
      {action === 'create' ? (
        <>
          <NativeSelect label={w.method} {...controlled(paymentMethod, setPaymentMethod)} data={optionsOf(t.methods)} />
          <RequiredTextInput
            label={w.number}
            {...controlled(msisdn, setMsisdn)}
            error={isSubmitted && !isNumber ? w.wrongNumber : null}
            inputMode="tel"
            autoComplete="off"
            maxLength={20}
            data-autofocus
          />
        </>
      ) : null}
      {hasFields ? (
        <>
          <TextInput
            label={w.label}
            description={w.labelHint}
            {...controlled(fields.label, change('label'))}
            maxLength={120}
            autoComplete="off"
          />
          <Text size="sm">{w.limitsText}</Text>
          <TextInput
            label={w.dailyAmount}
            {...controlled(fields.dailyAmount, change('dailyAmount'))}
            inputMode="decimal"
            autoComplete="off"
          />
          <TextInput
            label={w.monthlyAmount}
            {...controlled(fields.monthlyAmount, change('monthlyAmount'))}
            inputMode="decimal"
            autoComplete="off"
          />
          <TextInput
            label={w.dailyCount}
            {...controlled(fields.dailyCount, change('dailyCount'))}
            error={isSubmitted && limits === undefined ? t.states.wholeNumber : null}
            inputMode="numeric"
            autoComplete="off"
          />
        </>
      ) : null}
    </FormDialog>
  );
}
