import { Checkbox, Stack, Text, TextInput } from '@mantine/core';
import type { MerchantResponse, RelaxableSignal } from '@pay/contracts';
import { useState } from 'react';
import { controlled, ReasonField } from '../parts/form';
import { FormDialog } from '../parts/form-dialog';
import { membersOf, useChanges } from '../parts/use-changes';
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
  const request = useSaveMerchant();
  const signals = Object.keys(w.signals) as RelaxableSignal[];
  const { reviewForgerySignals, reviewBalanceBreaks, requirePayerAgreement } = evidenceRules;
  const { fields, change, save } = useChanges({
    reviewForgerySignals,
    reviewBalanceBreaks,
    requirePayerAgreement,
    hours: String(evidenceRules.reviewOlderThanHours ?? ''),
    ...membersOf(signals, evidenceRules.relaxedSignals),
  });
  const [reason, setReason] = useState('');
  /** The signals that the open dialog asks about. */
  const [asked, setAsked] = useState<readonly RelaxableSignal[]>([]);
  const [isSubmitted, setSubmitted] = useState(false);
  const reviewOlderThanHours = fields.hours.trim() === '' ? null : wholeNumber(fields.hours);
  const added = signals.filter((signal) => fields[signal] && !evidenceRules.relaxedSignals.includes(signal));

  const store = () =>
    save(async ({ hours, ...changed }) => {
      const { reviewForgerySignals, reviewBalanceBreaks, requirePayerAgreement, ...relaxedSignals } = changed;
      await request.mutateAsync({
        evidenceRules: {
          reviewForgerySignals,
          reviewBalanceBreaks,
          requirePayerAgreement,
          ...(hours !== undefined && { reviewOlderThanHours }),
          // The previous version of the API, which may answer during an upgrade, refuses an object.
          ...(Object.keys(relaxedSignals).length > 0 && { relaxedSignals }),
        },
        ...(asked.length > 0 && { reason: reason.trim() }),
      });
      setAsked([]);
    });
  return (
    <>
      <SettingsForm
        title={w.rules}
        text={w.rulesText}
        save={request}
        onSubmit={() => {
          setSubmitted(true);
          if (reviewOlderThanHours === undefined) return undefined;
          if (added.length === 0) return store();
          setAsked(added);
          return undefined;
        }}
      >
        {FLAGS.map((flag) => (
          <Checkbox
            key={flag}
            label={w[flag]}
            description={flag === 'reviewForgerySignals' ? w.reviewForgerySignalsHint : null}
            checked={fields[flag]}
            onChange={(event) => change(flag)(event.currentTarget.checked)}
          />
        ))}
        <TextInput
          label={w.reviewOlderThanHours}
          description={w.reviewOlderThanHoursHint}
          {...controlled(fields.hours, change('hours'))}
          error={isSubmitted && reviewOlderThanHours === undefined ? t.states.wholeNumber : null}
          inputMode="numeric"
          maw={320}
        />
        <Checkbox.Group
          label={w.relaxed}
          description={w.relaxedText}
          value={signals.filter((signal) => fields[signal])}
          onChange={(chosen) => signals.forEach((signal) => change(signal)(chosen.includes(signal)))}
        >
          <Stack gap="xs" mt="xs">
            {signals.map((signal) => (
              <Checkbox key={signal} value={signal} label={w.signals[signal]} disabled={role !== 'OWNER'} />
            ))}
          </Stack>
        </Checkbox.Group>
      </SettingsForm>
      {asked.length > 0 ? (
        <FormDialog
          title={w.relaxTitle}
          consequences={w.relaxedText}
          submitText={w.save}
          isDestructive
          action={request}
          onSubmit={store}
          onClose={() => setAsked([])}
        >
          {asked.map((signal) => (
            <Text key={signal} fw={600}>
              {w.signals[signal]}
            </Text>
          ))}
          <ReasonField description={w.reasonHint} {...controlled(reason, setReason)} data-autofocus />
        </FormDialog>
      ) : null}
    </>
  );
}
