import { Checkbox, Stack, Text, TextInput } from '@mantine/core';
import type { MerchantResponse, RelaxableSignal } from '@pay/contracts';
import { useState } from 'react';
import { controlled, ReasonField } from '../parts/form';
import { FormDialog } from '../parts/form-dialog';
import { useUser } from '../session/session-context';
import { useWords } from '../text/language';
import { wholeNumber } from '../text/whole-number';
import { SettingsForm } from './settings-form';
import { useSaveMerchant } from './use-save-merchant';
import { useSettingsWords } from './words';

const FLAGS = ['reviewForgerySignals', 'reviewBalanceBreaks', 'requirePayerAgreement'] as const;

/** What must not be paid without a person, and what an owner has decided to accept. */
export function EvidenceRules({ merchant: { evidenceRules } }: { readonly merchant: MerchantResponse }) {
  const w = useSettingsWords();
  const { t } = useWords();
  const { role } = useUser();
  const save = useSaveMerchant();
  const [rules, setRules] = useState(evidenceRules);
  const [hours, setHours] = useState(String(evidenceRules.reviewOlderThanHours ?? ''));
  const [relaxed, setRelaxed] = useState<readonly string[]>(evidenceRules.relaxedSignals);
  const [reason, setReason] = useState('');
  const [isAsking, setAsking] = useState(false);
  const [isSubmitted, setSubmitted] = useState(false);
  const reviewOlderThanHours = hours.trim() === '' ? null : wholeNumber(hours);
  const added = relaxed.filter((signal) => !evidenceRules.relaxedSignals.includes(signal));

  const store = () => {
    if (reviewOlderThanHours === undefined) return undefined;
    const { reviewForgerySignals, reviewBalanceBreaks, requirePayerAgreement } = rules;
    const signals = Object.keys(w.signals) as RelaxableSignal[];
    return save.mutateAsync(
      {
        evidenceRules: {
          reviewForgerySignals,
          reviewBalanceBreaks,
          requirePayerAgreement,
          reviewOlderThanHours,
          relaxedSignals: signals.filter((signal) => relaxed.includes(signal)),
        },
        ...(added.length > 0 ? { reason: reason.trim() } : {}),
      },
      { onSuccess: () => setAsking(false) },
    );
  };
  return (
    <>
      <SettingsForm
        title={w.rules}
        text={w.rulesText}
        save={save}
        onSubmit={() => {
          setSubmitted(true);
          if (reviewOlderThanHours === undefined || added.length === 0) return store();
          setAsking(true);
          return undefined;
        }}
      >
        {FLAGS.map((flag) => (
          <Checkbox
            key={flag}
            label={w[flag]}
            description={flag === 'reviewForgerySignals' ? w.reviewForgerySignalsHint : null}
            checked={rules[flag]}
            onChange={(event) => {
              const { checked } = event.currentTarget;
              setRules((before) => ({ ...before, [flag]: checked }));
            }}
          />
        ))}
        <TextInput
          label={w.reviewOlderThanHours}
          description={w.reviewOlderThanHoursHint}
          {...controlled(hours, setHours)}
          error={isSubmitted && reviewOlderThanHours === undefined ? t.states.wholeNumber : null}
          inputMode="numeric"
          maw={320}
        />
        <Checkbox.Group
          label={w.relaxed}
          description={w.relaxedText}
          value={[...relaxed]}
          onChange={(chosen) => setRelaxed(chosen)}
        >
          <Stack gap="xs" mt="xs">
            {(Object.keys(w.signals) as RelaxableSignal[]).map((signal) => (
              <Checkbox key={signal} value={signal} label={w.signals[signal]} disabled={role !== 'OWNER'} />
            ))}
          </Stack>
        </Checkbox.Group>
      </SettingsForm>
      {isAsking ? (
        <FormDialog
          title={w.relaxTitle}
          consequences={w.relaxedText}
          submitText={w.save}
          isDestructive
          action={save}
          onSubmit={store}
          onClose={() => setAsking(false)}
        >
          {added.map((signal) => (
            <Text key={signal} fw={600}>
              {w.signals[signal as RelaxableSignal]}
            </Text>
          ))}
          <ReasonField description={w.reasonHint} {...controlled(reason, setReason)} data-autofocus />
        </FormDialog>
      ) : null}
    </>
  );
}
