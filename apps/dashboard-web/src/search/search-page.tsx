import { Anchor, Group, Paper, Text } from '@mantine/core';
import type { Environment, SearchResponse } from '@pay/contracts';
import { Link, Redirect } from 'wouter';
import { PageHead } from '../parts/page-head';
import { Message, Pending } from '../parts/page-states';
import { SearchForm } from '../parts/search-form';
import { Caption, Heading } from '../parts/typography';
import { useFilters } from '../parts/use-filters';
import { PaymentCard } from '../payments/payment-card';
import { useOperation } from '../session/session-context';
import { ENVIRONMENTS, placeOf } from '../parts/places';
import { useWords } from '../text/language';

interface PageProps {
  readonly environment: Environment;
}

/** The payments that contain a text in any field. A single result is opened immediately. */
export default function SearchPage({ environment }: PageProps) {
  const { t } = useWords();
  const [filters, choose] = useFilters();
  const text = filters.get('text')?.trim() ?? '';
  return (
    <>
      <PageHead title={t.search.title} />
      <SearchForm
        name={t.search.title}
        label={t.search.label}
        placeholder={t.search.hint}
        text={text}
        submitText={t.search.submit}
        onSearch={(wanted) => choose('text', wanted)}
        group={{ mb: 'md', wrap: 'wrap' }}
        flex="1 1 14rem"
        maw={520}
      />
      {text === '' ? (
        <Message title={t.search.empty}>{t.search.emptyText}</Message>
      ) : (
        <Results key={`${environment} ${text}`} environment={environment} text={text} />
      )}
    </>
  );
}

function Results({ environment, text }: PageProps & { readonly text: string }) {
  const { t, count } = useWords();
  const query = useOperation(['payments', 'search', environment, text], 'searchPayments', {
    query: { environment, text },
  });
  if (query.data === undefined) return <Pending query={query} />;
  const { payments, exceptions } = query.data;
  const [only] = payments;
  if (only !== undefined && payments.length + exceptions.length === 1)
    return <Redirect to={placeOf(environment, 'payments', only.id)} replace />;
  if (payments.length + exceptions.length === 0) {
    return (
      <>
        <Message title={t.search.none}>{t.search.noneText}</Message>
        <OtherEnvironment environment={environment} text={text} />
      </>
    );
  }
  return (
    <>
      <Text c="dimmed" role="status" mb="xs">
        {t.search.found(count(payments.length + exceptions.length))}
      </Text>
      <Payments environment={environment} payments={payments} />
      <Exceptions environment={environment} exceptions={exceptions} />
    </>
  );
}

function OtherEnvironment({ environment, text }: PageProps & { readonly text: string }) {
  const { t } = useWords();
  return (
    <Group justify="center">
      {ENVIRONMENTS.filter((each) => each !== environment).map((each) => (
        <Anchor
          key={each}
          component={Link}
          href={`${placeOf(each, 'search')}?${new URLSearchParams({ text }).toString()}`}
        >
          {t.search.otherEnvironment(t.environment[each])}
        </Anchor>
      ))}
    </Group>
  );
}

function Payments({ environment, payments }: PageProps & Pick<SearchResponse, 'payments'>) {
  const { t, dateTime } = useWords();
  return (
    <Paper component="ul" className="card-list" bg="transparent">
      {payments.map((payment) => (
        <Paper key={payment.id} component="li" withBorder p="sm" mb="xs" data-found={payment.foundBy}>
          <PaymentCard environment={environment} payment={payment}>
            {dateTime(payment.createdAt)} · {t.search.by(t.search.foundBy[payment.foundBy])}
          </PaymentCard>
        </Paper>
      ))}
    </Paper>
  );
}

function Exceptions({ environment, exceptions }: PageProps & Pick<SearchResponse, 'exceptions'>) {
  const { t, money, dateTime } = useWords();
  if (exceptions.length === 0) return null;
  return (
    <section>
      <Heading my="sm">{t.search.exceptions}</Heading>
      <Paper component="ul" className="card-list" bg="transparent">
        {exceptions.map(({ id, receivedAmount, trxId, createdAt, foundBy }) => (
          <Paper key={id} component="li" withBorder p="sm" mb="xs" data-found={foundBy}>
            <Anchor
              component={Link}
              href={placeOf(environment, 'exceptions', id)}
              fw={600}
              py={8}
              display="inline-block"
            >
              {receivedAmount === null ? t.search.openException : money(receivedAmount)}
            </Anchor>
            <Caption>
              {trxId === null ? '' : `${t.fields.trxId} ${trxId} · `}
              {dateTime(createdAt)} · {t.search.by(t.search.foundBy[foundBy])}
            </Caption>
          </Paper>
        ))}
      </Paper>
    </section>
  );
}
