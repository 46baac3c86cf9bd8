import { Alert, Anchor, Group, SimpleGrid, Text } from '@mantine/core';
import type { Environment, SmsEventDetails } from '@pay/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { CheckList } from '../parts/check-list';
import { ActionButton } from '../parts/action-button';
import { DoubtfulPayment } from '../parts/doubtful-payment';
import { Facts, Identifier, None, Time, timeOrNull, type Fact } from '../parts/facts';
import { FormDialog } from '../parts/form-dialog';
import { PageHead, PendingPage } from '../parts/page-head';
import { Section } from '../parts/section';
import { Sentences } from '../parts/sentences';
import { WrongEnvironment } from '../parts/wrong-environment';
import { useCall, useMay, useOperation } from '../session/session-context';
import { placeOf } from '../parts/places';
import { useWords } from '../text/language';
import { isPassedOver, signalTexts } from '../text/signal-text';
import { useReasonText } from './reasons';
import { ReparseDialog } from './reparse-dialog';
import { SmsStatusBadge } from './sms-status';
import { SmsText } from './sms-text';
import { useSmsKind } from './kind-words';
import { useSmsWords } from './words';

const REFETCH_MS = 15_000;

interface PageProps {
  readonly environment: Environment;
  readonly id: string;
}

/** One SMS: its text with the parsed parts, the values, and its result. */
export function SmsEventPage({ environment, id }: PageProps) {
  const w = useSmsWords();
  const { t, money, language } = useWords();
  const call = useCall();
  const may = useMay();
  const queries = useQueryClient();
  const [dialog, setDialog] = useState<'reparse' | 'report'>();
  const found = useOperation(['sms-event', id], 'getSmsEvent', { params: { id }, refetchInterval: REFETCH_MS });
  const refresh = () => {
    setDialog(undefined);
    for (const key of ['sms-event', 'sms-events', 'sms-text']) void queries.invalidateQueries({ queryKey: [key] });
  };
  const report = useMutation({
    mutationFn: () => call('reportSmsEvent', { params: { id } }),
    onSuccess: refresh,
  });
  const back = { to: placeOf(environment, 'sms'), text: w.back };
  if (found.data === undefined) return <PendingPage title={w.title} back={back} query={found} />;
  const sms = found.data;
  if (sms.environment !== environment) return <WrongEnvironment environment={sms.environment} place={['sms', id]} />;
  return (
    <>
      <PageHead title={sms.parsedAmount === null ? sms.sender : money(sms.parsedAmount)} back={back}>
        <Group gap="sm">
          <SmsStatusBadge status={sms.status} />
          {sms.status === 'UNPARSED' ? (
            <ActionButton action={['reparseSmsEvent']} variant="default" onClick={() => setDialog('reparse')}>
              {w.reparse}
            </ActionButton>
          ) : null}
          {sms.hasText && sms.reportedAt === null ? (
            <ActionButton action={['reportSmsEvent']} variant="default" onClick={() => setDialog('report')}>
              {w.report}
            </ActionButton>
          ) : null}
        </Group>
      </PageHead>
      {hasPaid(sms) && isPassedOver(sms.signals) ? <DoubtfulPayment /> : null}
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <div>
          <Section title={w.text} mb="md">
            {may('getSmsEventText') ? <SmsText id={id} /> : <Text c="dimmed">{w.noText}</Text>}
          </Section>
          <Section title={w.outcome} mb="md">
            <OutcomeOf sms={sms} />
          </Section>
          {sms.signals.length === 0 ? null : (
            <Sentences title={t.exceptions.doubts} sentences={signalTexts(sms.signals, language)} />
          )}
        </div>
        <Section title={w.values} mb="md">
          <Values sms={sms} />
        </Section>
      </SimpleGrid>
      {dialog === 'reparse' ? <ReparseDialog id={id} onClose={() => setDialog(undefined)} onApplied={refresh} /> : null}
      {dialog === 'report' ? (
        <FormDialog title={w.report} consequences={w.reportText} action={report} onClose={() => setDialog(undefined)} />
      ) : null}
    </>
  );
}

/** The same texts as those of the alert `payment_doubtful`. */
function hasPaid({ status, paymentIntentId }: SmsEventDetails): boolean {
  return (status === 'MATCHED' || status === 'MANUALLY_RESOLVED') && paymentIntentId !== null;
}

/** The decision with its reason in words, and where the payment or the exception is. */
function OutcomeOf({ sms }: { readonly sms: SmsEventDetails }) {
  const w = useSmsWords();
  const reasonText = useReasonText();
  const { match, environment } = sms;
  const intentId = match?.paymentIntentId ?? sms.paymentIntentId;
  const isInQueue = match !== null && match.status === 'REVIEW_REQUIRED';
  const reason = sms.status === 'UNPARSED' ? sms.failureReason : (match?.reason ?? sms.failureReason);
  return (
    <>
      <Text>{reason === null ? w.noMatch : reasonText(reason)}</Text>
      {sms.missing.length === 0 ? null : (
        <Alert color="yellow" mt="sm" role="status">
          {w.matchMissing}
        </Alert>
      )}
      <Group gap="md" mt="xs">
        {intentId === null ? null : (
          <Anchor component={Link} href={placeOf(environment, 'payments', intentId)} py={4}>
            {w.payment}
          </Anchor>
        )}
        {isInQueue ? (
          <Anchor component={Link} href={placeOf(environment, 'exceptions', match.id)} py={4}>
            {w.openException}
          </Anchor>
        ) : null}
      </Group>
      {match === null || match.checks === null ? null : <CheckList checks={match.checks} />}
    </>
  );
}

function Values({ sms }: { readonly sms: SmsEventDetails }) {
  const { t, money } = useWords();
  const w = useSmsWords();
  const kindOf = useSmsKind();
  const providers: Readonly<Record<string, string>> = w.providers;
  const amount = (value: string | null) => (value === null ? <None /> : money(value));
  const facts: Fact[] = [
    { name: w.sender, value: sms.sender },
    {
      name: w.provider,
      value: sms.provider === null ? <None /> : (providers[sms.provider] ?? sms.provider),
    },
    { name: w.fields.kind, value: sms.kind === null ? <None /> : kindOf(sms.kind) },
    {
      name: w.fields.paymentMethod,
      value: sms.paymentMethod === null ? <None /> : t.methods[sms.paymentMethod],
    },
    { name: w.fields.parsedAmount, value: amount(sms.parsedAmount) },
    { name: w.fields.parsedFee, value: sms.parsedFee === null ? null : money(sms.parsedFee) },
    { name: w.fields.parsedCommission, value: sms.parsedCommission === null ? null : money(sms.parsedCommission) },
    { name: w.fields.parsedBalance, value: amount(sms.parsedBalance) },
    {
      name: w.fields.parsedTrxId,
      value: sms.parsedTrxId === null ? <None /> : <Identifier text={sms.parsedTrxId} name={w.fields.parsedTrxId} />,
    },
    { name: w.fields.parsedReference, value: sms.parsedReference ?? <None /> },
    { name: w.fields.parsedSenderMsisdn, value: sms.parsedSenderMsisdn ?? <None /> },
    { name: w.fields.parsedRecipientMsisdn, value: sms.parsedRecipientMsisdn },
    { name: t.fields.receiver, value: sms.receiverMsisdn ?? <None /> },
    { name: w.fields.providerTime, value: timeOrNull(sms.providerTime) ?? <None /> },
    { name: t.fields.arrived, value: <Time at={sms.ingestedAt} /> },
    { name: w.authenticity, value: sms.authenticity === null ? null : w.authenticities[sms.authenticity] },
    { name: w.simSlot, value: sms.simSlot },
    { name: w.parser, value: sms.parserVersion },
    { name: w.reported, value: timeOrNull(sms.reportedAt) },
    { name: t.fields.smsId, value: <Identifier text={sms.id} name={t.fields.smsId} /> },
  ];
  return <Facts facts={facts} />;
}
