import { Group, NativeSelect, Paper, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Form, optionsOf, RequiredTextInput, RequiredTextarea } from '../parts/form';
import { useWholeList } from '../parts/numbered-pages';
import { PageHead } from '../parts/page-head';
import { FailureAlert, NoPermission } from '../parts/page-states';
import { ActionButton } from '../parts/action-button';
import { SectionTabs } from '../parts/section-pages';
import { useCall, useMay } from '../session/session-context';
import { useWords } from '../text/language';
import { simulationBody, type SimulationFields } from './simulation-body';
import { SimulationResult } from './simulation-result';
import { useTestingWords } from './words';

const FIRST: SimulationFields = {
  mode: 'fields',
  paymentMethod: 'BKASH_SEND_MONEY',
  amount: '500',
  customerReference: '',
  receiverMsisdn: '',
  senderMsisdn: '01712345678',
  trxId: '',
  fee: '',
  balance: '',
  sender: 'bKash',
  message: '',
};

/** Sends the SMS of a payment in SANDBOX and shows everything that follows from it. */
export function SimulatorPage() {
  const { simulator: w } = useTestingWords();
  const may = useMay();
  return (
    <>
      <PageHead title={w.title} subtitle={w.subtitle} />
      <SectionTabs />
      {may('runSimulator', 'SANDBOX') ? <Simulator /> : <NoPermission />}
    </>
  );
}

function Simulator() {
  const { simulator: w } = useTestingWords();
  const { t } = useWords();
  const call = useCall();
  const [fields, setFields] = useState(FIRST);
  const accounts = useWholeList(['receivers', 'SANDBOX'], 'listReceiverAccounts', {
    query: { environment: 'SANDBOX' },
  });
  const receivers = (accounts.data?.data ?? []).filter(
    ({ isActive, paymentMethod }) => isActive && (fields.mode === 'text' || paymentMethod === fields.paymentMethod),
  );
  const receiverMsisdn = receivers.some(({ msisdn }) => msisdn === fields.receiverMsisdn)
    ? fields.receiverMsisdn
    : (receivers[0]?.msisdn ?? '');
  const run = useMutation({
    mutationFn: () => call('runSimulator', { body: simulationBody({ ...fields, receiverMsisdn }) }),
  });
  const set = (name: keyof SimulationFields) => (event: { currentTarget: { value: string } }) => {
    const { value } = event.currentTarget;
    setFields((before) => ({ ...before, [name]: value }));
  };
  const input = (name: 'amount' | 'customerReference' | 'senderMsisdn' | 'trxId' | 'fee' | 'balance' | 'sender') => ({
    value: fields[name],
    onChange: set(name),
    autoComplete: 'off',
  });
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
      <Paper withBorder p="md" component={Form} onSubmit={() => run.mutateAsync()}>
        <Stack>
          <NativeSelect
            label={w.mode}
            value={fields.mode}
            onChange={set('mode')}
            data={optionsOf({ fields: w.fields, text: w.text })}
          />
          {fields.mode === 'fields' ? (
            <NativeSelect
              label={w.method}
              value={fields.paymentMethod}
              onChange={set('paymentMethod')}
              data={optionsOf(t.methods)}
            />
          ) : null}
          <NativeSelect
            label={w.receiver}
            value={receiverMsisdn}
            onChange={set('receiverMsisdn')}
            error={accounts.isSuccess && receivers.length === 0 ? w.noReceivers : null}
            data={receivers.map(({ msisdn, paymentMethod }) => ({
              value: msisdn,
              label: `${msisdn} · ${t.methods[paymentMethod]}`,
            }))}
          />
          {fields.mode === 'fields' ? (
            <>
              <RequiredTextInput label={w.amount} inputMode="decimal" {...input('amount')} />
              <TextInput label={w.reference} description={w.referenceHint} {...input('customerReference')} />
              <RequiredTextInput label={w.payer} inputMode="tel" {...input('senderMsisdn')} />
              <TextInput label={w.trxId} description={w.trxIdHint} {...input('trxId')} />
              <Group grow align="flex-end">
                <TextInput label={w.fee} inputMode="decimal" {...input('fee')} />
                <TextInput label={w.balance} description={w.balanceHint} inputMode="decimal" {...input('balance')} />
              </Group>
            </>
          ) : (
            <>
              <RequiredTextInput label={w.sender} {...input('sender')} />
              <RequiredTextarea
                label={w.message}
                value={fields.message}
                onChange={set('message')}
                rows={4}
                maxLength={2_000}
              />
            </>
          )}
          <FailureAlert error={run.error} />
          <Group>
            <ActionButton action={['runSimulator', 'SANDBOX']} type="submit" loading={run.isPending}>
              {w.send}
            </ActionButton>
          </Group>
        </Stack>
      </Paper>
      <div aria-live="polite">
        {run.data === undefined ? <Text c="dimmed">{w.nothingSent}</Text> : <SimulationResult simulation={run.data} />}
      </div>
    </SimpleGrid>
  );
}
