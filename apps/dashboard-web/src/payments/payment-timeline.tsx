import { Anchor, Text, Timeline } from '@mantine/core';
import type { Environment, EvidenceFile, MatchStatus } from '@pay/contracts';
import { Link } from 'wouter';
import { CheckList } from '../parts/check-list';
import { None, Time } from '../parts/facts';
import { placeOf } from '../parts/places';
import { Caption } from '../parts/typography';
import { useWords } from '../text/language';
import { timelineOf, type PaymentEvent } from './timeline';

/** Everything that happened to a payment, oldest first. */
export function PaymentTimeline({ file }: { readonly file: EvidenceFile }) {
  const events = timelineOf(file);
  if (events.length === 0) return <None />;
  return (
    <Timeline bulletSize={16} lineWidth={2} active={events.length}>
      {events.map((event) => (
        <Timeline.Item key={event.key} title={<EventTitle event={event} />} data-event={event.is}>
          <EventDetails event={event} environment={file.environment} />
          <Caption>
            <Time at={event.at} />
          </Caption>
        </Timeline.Item>
      ))}
    </Timeline>
  );
}

function EventTitle({ event }: { readonly event: PaymentEvent }) {
  const { t, count } = useWords();
  const words = t.payments.events;
  return <>{event.is === 'attempt' ? words.attempt(count(event.attempt.attempt)) : words[event.is]}</>;
}

function EventDetails({ event, environment }: { readonly event: PaymentEvent; readonly environment: Environment }) {
  const { t, money } = useWords();
  switch (event.is) {
    case 'sms':
      return (
        <>
          <Text size="sm">
            {money(event.sms.amount)} · {t.methods[event.sms.paymentMethod]} · {t.fields.trxId}{' '}
            <span className="identifier">{event.sms.trxId}</span>
            {event.sms.payerMsisdn === null ? '' : ` · ${event.sms.payerMsisdn}`}
          </Text>
          <Anchor component={Link} href={placeOf(environment, 'sms', event.sms.smsEventId)} size="sm" py={4}>
            {t.exceptions.openSms}
          </Anchor>
        </>
      );
    case 'claim':
      return (
        <Text size="sm" className="identifier">
          {event.claim.trxId}
        </Text>
      );
    case 'decision':
      return <DecisionDetails decision={event.decision} environment={environment} />;
    case 'webhook':
      return (
        <Text size="sm">
          <span className="identifier">{event.webhook.eventType}</span> ·{' '}
          {event.webhook.deliveredAt === null ? t.payments.notDelivered : t.payments.delivered}
        </Text>
      );
    case 'attempt':
      return event.attempt.httpStatus === null ? (
        <Text size="sm" className="identifier">
          {event.attempt.outcome}
        </Text>
      ) : (
        <Text size="sm">{t.payments.answered(event.attempt.httpStatus)}</Text>
      );
    case 'method': {
      const { paymentMethod } = event.activity;
      return paymentMethod === null ? null : <Text size="sm">{t.methods[paymentMethod]}</Text>;
    }
    case 'returned': {
      const { outcome } = event.activity;
      return outcome === null ? null : (
        <Text size="sm">{isStatus(outcome, t.statuses) ? t.statuses[outcome] : t.payments.cancelled}</Text>
      );
    }
    case 'viewed':
    case 'cancelled':
    case 'created':
    case 'paid':
    case 'expired':
    case 'failed':
    case 'rejected':
    case 'review':
      return null;
  }
}

function isStatus<Statuses extends object>(outcome: string, statuses: Statuses): outcome is keyof Statuses & string {
  return outcome in statuses;
}

type Decision = Extract<PaymentEvent, { readonly is: 'decision' }>['decision'];

function DecisionDetails({
  decision,
  environment,
}: {
  readonly decision: Decision;
  readonly environment: Environment;
}) {
  const { t } = useWords();
  const { status, reviewer, note, checks, isAuthentic, matchId, intentStatus } = decision;
  return (
    <>
      <Text size="sm" fw={600}>
        {t.payments.decisions[status satisfies MatchStatus]}
      </Text>
      <Text size="sm">
        {reviewer === null ? t.payments.bySystem : t.payments.byPerson(reviewer.name ?? t.payments.formerMember)} ·{' '}
        {isAuthentic ? t.payments.authentic : t.payments.notAuthentic}
      </Text>
      {note === null ? null : <Text size="sm">{note}</Text>}
      {intentStatus === 'REVIEW_REQUIRED' ? (
        <Anchor component={Link} href={placeOf(environment, 'exceptions', matchId)} size="sm" py={4}>
          {t.payments.openException}
        </Anchor>
      ) : null}
      {checks === null ? null : (
        <details open={Object.values(checks).includes('fail')}>
          <summary>{t.exceptions.sevenChecks}</summary>
          <CheckList checks={checks} />
        </details>
      )}
    </>
  );
}
