import { Anchor, Paper, Stack, Text } from '@mantine/core';
import type { SimulationResponse } from '@pay/contracts';
import { Link } from 'wouter';
import { CheckList } from '../parts/check-list';
import { CodeBlock } from '../parts/code-block';
import { Facts, timeOrNull } from '../parts/facts';
import { Section } from '../parts/section';
import { StatusBadge } from '../parts/status-badge';
import { placeOf } from '../parts/places';
import { Heading } from '../parts/typography';
import { useWords } from '../text/language';
import { signalTexts } from '../text/signal-text';
import { useTestingWords } from './words';

/** The sent text, its parsed values, and the decision with the seven checks. */
export function SimulationResult({ simulation }: { readonly simulation: SimulationResponse }) {
  const { simulator: w } = useTestingWords();
  const { t } = useWords();
  const { sms, match, paymentIntent, isDecided } = simulation;
  return (
    <Stack data-testid="simulation">
      <Paper withBorder p="md" component="section">
        <Heading>{w.sent}</Heading>
        <CodeBlock text={sms.message} label={w.sent} />
      </Paper>
      <Section title={w.match}>
        {isDecided ? null : <Text mb="sm">{w.notDecided}</Text>}
        {match === null ? null : (
          <Text fw={600} mb="sm">
            {t.payments.decisions[match.status]}
          </Text>
        )}
        {paymentIntent === null ? (
          <Text mb="sm">{w.noMatch}</Text>
        ) : (
          <Text mb="sm">
            <StatusBadge status={paymentIntent.status} />{' '}
            <Anchor component={Link} href={placeOf('SANDBOX', 'payments', paymentIntent.id)}>
              {w.payment}
            </Anchor>
          </Text>
        )}
        {match === null ? null : <CheckList checks={match.checks} />}
      </Section>
      <Section title={w.read}>
        <ParsedFacts simulation={simulation} />
      </Section>
    </Stack>
  );
}

function ParsedFacts({ simulation: { smsEvent: event } }: { readonly simulation: SimulationResponse }) {
  const { simulator: w } = useTestingWords();
  const { t, money, language } = useWords();
  const amount = (text: string | null) => (text === null ? null : money(text));
  const identifier = (text: string | null) => (text === null ? null : <span className="identifier">{text}</span>);
  const doubts = signalTexts(event.signals, language).map((sentence) => (
    <div key={sentence.text} lang={sentence.language}>
      {sentence.text}
    </div>
  ));
  return (
    <Facts
      facts={[
        { name: w.smsStatus, value: <span className="identifier">{event.status}</span> },
        { name: w.duplicate, value: event.duplicate ? '✓' : null },
        { name: w.failure, value: identifier(event.failureReason) },
        { name: t.fields.method, value: event.paymentMethod === null ? null : t.methods[event.paymentMethod] },
        { name: t.fields.amount, value: amount(event.parsedAmount) },
        { name: w.fee, value: amount(event.parsedFee) },
        { name: w.balance, value: amount(event.parsedBalance) },
        { name: t.fields.trxId, value: identifier(event.parsedTrxId) },
        { name: t.fields.reference, value: identifier(event.parsedReference) },
        { name: t.fields.payer, value: identifier(event.parsedSenderMsisdn) },
        { name: t.fields.providerTime, value: timeOrNull(event.providerTime) },
        { name: t.exceptions.doubts, value: doubts.length === 0 ? null : doubts },
      ]}
    />
  );
}
