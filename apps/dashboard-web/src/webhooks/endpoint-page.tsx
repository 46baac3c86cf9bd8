import { Anchor, Group, Paper } from '@mantine/core';
import type { EndpointResponse, Environment } from '@pay/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { RowButton } from '../parts/action-button';
import { Facts, Identifier, Time, timeOrNull } from '../parts/facts';
import { PageHead, PendingPage } from '../parts/page-head';
import { SuccessAlert } from '../parts/page-states';
import { Heading } from '../parts/typography';
import { WrongEnvironment } from '../parts/wrong-environment';
import { useOperation } from '../session/session-context';
import { placeOf } from '../parts/places';
import { DeliveryList } from './delivery-list';
import { EndpointDialog, type ActionResult } from './endpoint-dialog';
import { EndpointBadges, EndpointTrouble } from './endpoint-state';
import { LatestRecovery } from './latest-recovery';
import { OPERATION_OF, useWebhookWords, type EndpointActionName } from './words';

const REFETCH_MS = 15_000;
const SHOWN_DELIVERIES = '10';

interface PageProps {
  readonly environment: Environment;
  readonly id: string;
}

/** One endpoint with everything that can be done with it, and its latest deliveries. */
export function EndpointPage({ environment, id }: PageProps) {
  const w = useWebhookWords();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const [action, setAction] = useState<EndpointActionName>();
  const [result, setResult] = useState<ActionResult>();
  const found = useOperation(['endpoints', 'one', id], 'getEndpoint', { params: { id }, refetchInterval: REFETCH_MS });
  const back = { to: placeOf(environment, 'webhooks'), text: w.back };
  if (found.data === undefined) return <PendingPage title={w.title} back={back} query={found} />;
  const endpoint = found.data;
  if (endpoint.environment !== environment)
    return <WrongEnvironment environment={endpoint.environment} place={['webhooks', id]} />;
  const close = (done?: ActionResult) => {
    setAction(undefined);
    if (done === undefined) return;
    if (done.action === 'remove') navigate(back.to);
    else setResult(done);
    void queries.invalidateQueries({ queryKey: ['endpoints'] });
    void queries.invalidateQueries({ queryKey: ['deliveries'] });
  };
  return (
    <>
      <PageHead title={endpoint.url} back={back}>
        <EndpointBadges endpoint={endpoint} />
      </PageHead>
      <ResultNotice environment={environment} result={result} />
      <Paper withBorder p="md" mb="md">
        <EndpointFacts endpoint={endpoint} />
        <EndpointTrouble endpoint={endpoint} />
        <Group gap="xs" mt="md">
          {actionsOf(endpoint).map((each) => (
            <RowButton
              key={each}
              action={[OPERATION_OF[each], environment]}
              onClick={() => setAction(each)}
              data-action={each}
            >
              {w.actions[each]}
            </RowButton>
          ))}
        </Group>
      </Paper>
      <LatestRecovery id={id} />
      <Heading mb="sm">{w.ofEndpoint}</Heading>
      <DeliveryList environment={environment} query={{ endpointId: id, limit: SHOWN_DELIVERIES }} isPreview />
      <Anchor
        component={Link}
        href={`${placeOf(environment, 'webhooks', 'deliveries')}?endpointId=${id}`}
        mt="sm"
        display="inline-block"
      >
        {w.allDeliveries}
      </Anchor>
      {action === undefined ? null : (
        <EndpointDialog key={action} environment={environment} action={action} endpoint={endpoint} onClose={close} />
      )}
    </>
  );
}

function actionsOf(endpoint: EndpointResponse): EndpointActionName[] {
  const { isVerified, isActive, secretOverlapEndsAt } = endpoint;
  return [
    ...(isVerified ? [] : ['verify' as const]),
    ...(isActive ? (['test', 'recover'] as const) : []),
    'change',
    'rotate',
    ...(secretOverlapEndsAt === null ? [] : ['finish' as const]),
    isActive ? 'disable' : 'enable',
    'remove',
  ];
}

function EndpointFacts({ endpoint }: { readonly endpoint: EndpointResponse }) {
  const w = useWebhookWords();
  const { id, eventTypes, createdAt, verifiedAt, secretOverlapEndsAt } = endpoint;
  return (
    <Facts
      facts={[
        { name: w.events, value: <span className="identifier">{eventTypes.join(', ')}</span> },
        { name: w.created, value: <Time at={createdAt} /> },
        { name: w.verified, value: timeOrNull(verifiedAt) },
        { name: w.overlap, value: timeOrNull(secretOverlapEndsAt) },
        { name: 'ID', value: <Identifier text={id} name="ID" /> },
      ]}
    />
  );
}

/** The result of the last action. */
function ResultNotice({ environment, result }: { environment: Environment; result: ActionResult | undefined }) {
  const w = useWebhookWords();
  if (result?.action === 'verify') {
    return <SuccessAlert mb="md">{w.verifiedNow}</SuccessAlert>;
  }
  if (result?.deliveryId === undefined) return null;
  return (
    <SuccessAlert mb="md">
      {w.tested}{' '}
      <Anchor
        component={Link}
        href={placeOf(environment, 'webhooks', 'deliveries', result.deliveryId)}
        c="inherit"
        td="underline"
        size="sm"
      >
        {w.showDelivery}
      </Anchor>
    </SuccessAlert>
  );
}
