import { SimpleGrid, Text } from '@mantine/core';
import type { Environment, PaymentStatistics } from '@pay/contracts';
import type { UseQueryResult } from '@tanstack/react-query';
import { useWholeList } from '../parts/numbered-pages';
import { PageHead } from '../parts/page-head';
import { Pending } from '../parts/page-states';
import { useOperation } from '../session/session-context';
import { placeOf } from '../parts/places';
import { useWords } from '../text/language';
import { compareDays, sumOfAmounts } from './compare-days';
import { FirstStepsNotice } from './first-steps-notice';
import { PaymentsByHour } from './payments-by-hour';
import { StatCard } from './stat-card';

/** Changes are announced by a stream; this is for the time without one. */
const REFETCH_MS = 60_000;

interface PageProps {
  readonly environment: Environment;
}

/** The start page: whether money is coming in, and what stops it. Each part loads and fails separately. */
export default function OverviewPage({ environment }: PageProps) {
  const { t, day } = useWords();
  const payments = useOperation(['statistics', 'payments', environment], 'getPaymentStatistics', {
    query: { environment },
    refetchInterval: REFETCH_MS,
  });
  return (
    <>
      <PageHead
        title={t.overview.title}
        {...(payments.data === undefined ? {} : { subtitle: t.overview.subtitle(day(payments.data.today.date)) })}
      />
      <FirstStepsNotice environment={environment} />
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }} spacing="sm">
        <PaymentCards environment={environment} query={payments} />
        <ExceptionsCard environment={environment} />
        <DecisionCards environment={environment} />
        <PhonesCard environment={environment} />
        <WebhooksCard environment={environment} />
      </SimpleGrid>
      {payments.data === undefined ? <Pending query={payments} /> : <PaymentsByHour statistics={payments.data} />}
    </>
  );
}

interface PaymentCardsProps extends PageProps {
  readonly query: UseQueryResult<PaymentStatistics>;
}

function PaymentCards({ environment, query }: PaymentCardsProps) {
  const { t, count, money, weekday, hour } = useWords();
  const { data } = query;
  const compared = data === undefined ? undefined : compareDays(data);
  const received = (which: 'today' | 'weekBefore') =>
    money(sumOfAmounts(data?.[which].received.map(({ amount }) => amount) ?? []));
  return (
    <>
      <StatCard name="received" title={t.overview.received} query={query} value={received('today')}>
        {data === undefined ? null : t.overview.receivedBefore(received('weekBefore'), weekday(data.weekBefore.date))}
      </StatCard>
      <StatCard
        name="paid"
        title={t.overview.paid}
        to={placeOf(environment, 'payments')}
        query={query}
        value={count(compared?.paidToday ?? 0)}
      >
        {compared === undefined || compared.hoursOver === 0
          ? t.overview.paidBeforeFirstHour
          : t.overview.paidBefore(
              ...([count(compared.todayInThose), count(compared.weekBeforeInThose)] as const),
              hour(compared.hoursOver),
            )}
      </StatCard>
      <StatCard
        name="open"
        title={t.overview.open}
        to={`${placeOf(environment, 'payments')}?status=PENDING`}
        query={query}
        value={count(data?.intents.PENDING ?? 0)}
      >
        {t.overview.openText} · {t.overview.inReview(count(data?.intents.REVIEW_REQUIRED ?? 0))}
      </StatCard>
    </>
  );
}

function ExceptionsCard({ environment }: PageProps) {
  const { t, count } = useWords();
  const query = useOperation(['exceptions', 'open', environment], 'listExceptions', {
    query: { environment, status: 'OPEN', limit: '1' },
    refetchInterval: REFETCH_MS,
  });
  const total = query.data?.total ?? 0;
  return (
    <StatCard
      name="exceptions"
      title={t.overview.exceptions}
      to={placeOf(environment, 'exceptions')}
      query={query}
      value={query.data?.totalIsExact === false ? `${count(total)}+` : count(total)}
    >
      {total === 0 ? t.overview.noExceptions : t.overview.exceptionsText}
    </StatCard>
  );
}

function DecisionCards({ environment }: PageProps) {
  const { t, count, seconds, percent } = useWords();
  const query = useOperation(['statistics', 'decisions', environment], 'getDecisionStatistics', {
    query: { environment },
    refetchInterval: REFETCH_MS,
  });
  const { payments = 0, byPeople = 0, secondsFromSms } = query.data ?? {};
  return (
    <>
      <StatCard
        name="speed"
        title={t.overview.speed}
        query={query}
        value={secondsFromSms ? t.overview.seconds(seconds(secondsFromSms.median)) : '–'}
      >
        {secondsFromSms ? t.overview.speedText(seconds(secondsFromSms.p95)) : t.overview.speedNone}
      </StatCard>
      <StatCard
        name="automatic"
        title={t.overview.automatic}
        query={query}
        value={payments === 0 ? '–' : percent((payments - byPeople) / payments)}
      >
        {payments === 0 ? t.overview.automaticNone : t.overview.automaticText(count(payments))}
      </StatCard>
    </>
  );
}

function PhonesCard({ environment }: PageProps) {
  const { t, count } = useWords();
  const query = useWholeList(['devices', environment], 'listDevices', {
    query: { environment },
    refetchInterval: REFETCH_MS,
  });
  const used = query.data?.data.filter(({ status }) => status !== 'DISABLED') ?? [];
  const numberOf = (wanted: string) => used.filter(({ status }) => status === wanted).length;
  const [offline, unknown] = [numberOf('OFFLINE'), numberOf('UNKNOWN')];
  return (
    <StatCard
      name="phones"
      title={t.overview.phones}
      to={placeOf(environment, 'devices')}
      query={query}
      value={used.length === 0 ? '–' : t.overview.phonesOnline(count(numberOf('ONLINE')), count(used.length))}
    >
      {used.length === 0
        ? t.overview.phonesNone
        : offline > 0
          ? t.overview.phonesOffline(count(offline))
          : unknown > 0
            ? t.overview.phonesUnknown(count(unknown))
            : t.overview.phonesFine}
    </StatCard>
  );
}

function WebhooksCard({ environment }: PageProps) {
  const { t, count } = useWords();
  const query = useOperation(['statistics', 'webhooks', environment], 'getWebhookStatistics', {
    query: { environment },
    refetchInterval: REFETCH_MS,
  });
  const { data } = query;
  const words = t.overview;
  const problems =
    data === undefined
      ? []
      : [
          ...(data.failing > 0 ? [words.webhooksFailing(count(data.failing))] : []),
          ...(data.disabled > 0 ? [words.webhooksDisabled(count(data.disabled))] : []),
          ...(data.unverified > 0 ? [words.webhooksUnverified(count(data.unverified))] : []),
          ...(data.waiting > 0 ? [words.webhooksWaiting(count(data.waiting))] : []),
          ...(data.failed > 0 ? [words.webhooksFailed(count(data.failed))] : []),
        ];
  const hasNone = (data?.endpoints ?? 0) === 0;
  return (
    <StatCard
      name="webhooks"
      title={words.webhooks}
      to={placeOf(environment, 'webhooks')}
      query={query}
      value={hasNone ? '–' : (problems[0] ?? words.webhooksFine)}
    >
      {hasNone ? words.webhooksNone : <Text inherit>{problems.slice(1).join(' · ')}</Text>}
    </StatCard>
  );
}
