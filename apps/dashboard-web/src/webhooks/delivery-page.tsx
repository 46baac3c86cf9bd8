import { Anchor, Group, Paper, Text } from '@mantine/core';
import type { DeliveryAttemptResponse, DashboardDelivery, Environment } from '@pay/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { ActionButton } from '../parts/action-button';
import { CodeBlock, readableJson } from '../parts/code-block';
import { Facts, Identifier, Time, timeOrNull } from '../parts/facts';
import { FormDialog } from '../parts/form-dialog';
import { PageHead, PendingPage } from '../parts/page-head';
import { SuccessAlert } from '../parts/page-states';
import { Caption, Heading } from '../parts/typography';
import { WrongEnvironment } from '../parts/wrong-environment';
import { ToneBadge } from '../parts/tone-badge';
import { useCall, useOperation } from '../session/session-context';
import { placeOf } from '../parts/places';
import { useWords } from '../text/language';
import { outcomeText } from '../text/outcomes';
import { DeliveryBadge } from './delivery-list';
import { useWebhookWords } from './words';

const REFETCH_OPEN_MS = 3_000;

interface PageProps {
  readonly environment: Environment;
  readonly id: string;
}

/** One delivery with each attempt: request and response. */
export function DeliveryPage({ environment, id }: PageProps) {
  const { deliveries: w } = useWebhookWords();
  const { t } = useWords();
  const call = useCall();
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const found = useOperation(['deliveries', 'one', id], 'getDelivery', {
    params: { id },
    refetchInterval: (query) => (isOpen(query.state.data) ? REFETCH_OPEN_MS : false),
  });
  const again = useMutation({
    mutationFn: () => call('redeliver', { params: { id } }),
    onSuccess: () => {
      setAsking(false);
      void queries.invalidateQueries({ queryKey: ['deliveries'] });
    },
  });
  const back = { to: placeOf(environment, 'webhooks', 'deliveries'), text: w.back };
  if (found.data === undefined) return <PendingPage title={w.title} back={back} query={found} />;
  const delivery = found.data;
  if (delivery.environment !== environment)
    return <WrongEnvironment environment={delivery.environment} place={['webhooks', 'deliveries', id]} />;
  return (
    <>
      <PageHead title={delivery.eventType} back={back}>
        <Group gap="sm">
          <DeliveryBadge status={delivery.status} />
          <ActionButton action={['redeliver', environment]} onClick={() => setAsking(true)}>
            {w.redeliver}
          </ActionButton>
        </Group>
      </PageHead>
      {again.isSuccess ? <SuccessAlert mb="md">{w.queued}</SuccessAlert> : null}
      <Paper withBorder p="md" mb="md">
        <Facts
          facts={[
            {
              name: w.endpoint,
              value: (
                <Anchor component={Link} href={placeOf(environment, 'webhooks', delivery.endpointId)}>
                  {w.showEndpoint}
                </Anchor>
              ),
            },
            {
              name: w.payment,
              value:
                delivery.paymentIntentId === null ? null : (
                  <Anchor component={Link} href={placeOf(environment, 'payments', delivery.paymentIntentId)}>
                    {t.exceptions.openPayment}
                  </Anchor>
                ),
            },
            { name: 'X-Webhook-Id', value: <Identifier text={delivery.id} name="X-Webhook-Id" /> },
            { name: t.fields.created, value: <Time at={delivery.createdAt} /> },
            { name: w.delivered, value: timeOrNull(delivery.deliveredAt) },
            { name: w.next, value: timeOrNull(delivery.nextAttemptAt) },
          ]}
        />
        <Text fw={600} mt="md">
          {w.body}
        </Text>
        <Caption>{w.bodyHint}</Caption>
        <CodeBlock text={readableJson(delivery.body)} label={w.body} />
      </Paper>
      <Heading mb="sm">{w.attempts}</Heading>
      {delivery.attempts.length === 0 ? <Text c="dimmed">{w.noAttempts}</Text> : null}
      <Paper component="ol" className="card-list" bg="transparent">
        {delivery.attempts.toReversed().map((attempt) => (
          <Attempt key={attempt.attempt} attempt={attempt} />
        ))}
      </Paper>
      {isAsking ? (
        <FormDialog
          title={w.redeliver}
          consequences={w.redeliverText}
          action={again}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </>
  );
}

function isOpen(delivery: DashboardDelivery | undefined): boolean {
  return delivery?.status === 'PENDING' || delivery?.status === 'RETRYING';
}

function Attempt({ attempt: made }: { readonly attempt: DeliveryAttemptResponse }) {
  const { deliveries: w } = useWebhookWords();
  const { t, count, language } = useWords();
  const { attempt, trigger, outcome, detail, durationMs, request, response } = made;
  const isGood = outcome === 'SUCCESS';
  return (
    <Paper component="li" withBorder p="md" mb="sm" data-attempt={attempt}>
      <Text fw={600}>
        {w.attempt(count(attempt))}{' '}
        <ToneBadge tone={outcome === null ? 'neutral' : isGood ? 'good' : 'bad'}>
          {response?.statusCode ??
            (outcome === null ? w.none : isGood ? t.payments.delivered : t.payments.notDelivered)}
        </ToneBadge>
      </Text>
      <Caption>
        <Time at={made.startedAt} /> · {w.triggers[trigger]}
        {durationMs === null ? '' : ` · ${w.duration(count(durationMs))}`}
      </Caption>
      {outcome === null || isGood ? null : (
        <Text size="sm">{outcomeText(detail === null ? outcome : `${outcome} (${detail})`, language)}</Text>
      )}
      <Details name={w.request} text={headersText(request.headers)} />
      {response === null ? null : (
        <>
          <Details name={w.response} text={response.headers === null ? '' : headersText(response.headers)} />
          <Details name={w.responseBody} text={response.body ?? ''} />
        </>
      )}
    </Paper>
  );
}

function Details({ name, text }: { readonly name: string; readonly text: string }) {
  if (text === '') return null;
  return (
    <details>
      <summary>{name}</summary>
      <CodeBlock text={text} label={name} />
    </details>
  );
}

function headersText(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}
