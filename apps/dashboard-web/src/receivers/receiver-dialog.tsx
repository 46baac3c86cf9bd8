import { NativeSelect, Text, TextInput } from '@mantine/core';
import type { Environment, PaymentMethod, ReceiverAccountResponse } from '@pay/contracts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { controlled, optionsOf, RequiredTextInput } from '../parts/form';
import { FormDialog } from '../parts/form-dialog';
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
  const [label, setLabel] = useState(account?.label ?? '');
  const [dailyAmount, setDailyAmount] = useState(account?.limits?.dailyAmount ?? '');
  const [monthlyAmount, setMonthlyAmount] = useState(account?.limits?.monthlyAmount ?? '');
  const [dailyCount, setDailyCount] = useState(String(account?.limits?.dailyCount ?? ''));
  const [isSubmitted, setSubmitted] = useState(false);
  const number = latinDigits(msisdn);
  const limits = limitsOf({ dailyAmount, monthlyAmount, dailyCount });
  const apply = useMutation({
    mutationFn: async () => {
      const params = { id: account?.id ?? '' };
      const fields = {
        label: label.trim() === '' ? null : label.trim(),
        ...(limits && { limits }),
      };
      switch (action) {
        case 'create':
          return call('createReceiverAccount', { body: { environment, paymentMethod, msisdn: number, ...fields } });
        case 'change':
          return call('changeReceiverAccount', { params, body: fields });
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
        return (action !== 'create' || isNumber) && limits !== undefined ? apply.mutateAsync() : undefined;
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
            {...controlled(label, setLabel)}
            maxLength={120}
            autoComplete="off"
          />
          <Text size="sm">{w.limitsText}</Text>
          <TextInput
            label={w.dailyAmount}
            {...controlled(dailyAmount, setDailyAmount)}
            inputMode="decimal"
            autoComplete="off"
          />
          <TextInput
            label={w.monthlyAmount}
            {...controlled(monthlyAmount, setMonthlyAmount)}
            inputMode="decimal"
            autoComplete="off"
          />
          <TextInput
            label={w.dailyCount}
            {...controlled(dailyCount, setDailyCount)}
            error={isSubmitted && limits === undefined ? t.states.wholeNumber : null}
            inputMode="numeric"
            autoComplete="off"
          />
        </>
      ) : null}
    </FormDialog>
  );
}
