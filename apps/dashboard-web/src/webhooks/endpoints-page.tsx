import { Anchor, Group, Paper } from '@mantine/core';
import type { EndpointResponse, Environment } from '@pay/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { ActionButton } from '../parts/action-button';
import { KeysetList, PAGE_SIZE, useKeysetList } from '../parts/keyset-list';
import { asKeysetPage } from '../parts/numbered-pages';
import { PageHead } from '../parts/page-head';
import { Message } from '../parts/page-states';
import { Caption } from '../parts/typography';
import { useCall } from '../session/session-context';
import { placeOf } from '../parts/places';
import { SectionTabs } from '../parts/section-pages';
import { EndpointDialog } from './endpoint-dialog';
import { EndpointBadges, EndpointTrouble } from './endpoint-state';
import { useWebhookWords } from './words';

/** The addresses that receive the webhooks of one environment. */
export function EndpointsPage({ environment }: { readonly environment: Environment }) {
  const w = useWebhookWords();
  const call = useCall();
  const queries = useQueryClient();
  const [isAdding, setAdding] = useState(false);
  const list = useKeysetList(['endpoints', environment], async ({ after }, signal) =>
    asKeysetPage(await call('listEndpoints', { query: { environment, limit: PAGE_SIZE, page: after ?? '1' } }, signal)),
  );
  return (
    <>
      <PageHead title={w.title} subtitle={w.subtitle}>
        <ActionButton action={['createEndpoint', environment]} onClick={() => setAdding(true)}>
          {w.actions.create}
        </ActionButton>
      </PageHead>
      <SectionTabs />
      <KeysetList list={list} empty={<Message title={w.empty}>{w.emptyText}</Message>}>
        {(endpoints) => (
          <Paper component="ul" className="card-list" bg="transparent">
            {endpoints.map((endpoint) => (
              <EndpointCard key={endpoint.id} endpoint={endpoint} />
            ))}
          </Paper>
        )}
      </KeysetList>
      {isAdding ? (
        <EndpointDialog
          environment={environment}
          action="create"
          endpoint={undefined}
          onClose={() => {
            setAdding(false);
            void queries.invalidateQueries({ queryKey: ['endpoints'] });
          }}
        />
      ) : null}
    </>
  );
}

function EndpointCard({ endpoint }: { readonly endpoint: EndpointResponse }) {
  return (
    <Paper component="li" withBorder p="md" mb="sm" data-endpoint={endpoint.url}>
      <Group justify="space-between">
        <Anchor
          component={Link}
          href={placeOf(endpoint.environment, 'webhooks', endpoint.id)}
          fw={600}
          className="identifier"
        >
          {endpoint.url}
        </Anchor>
        <EndpointBadges endpoint={endpoint} />
      </Group>
      <Caption className="identifier" mt={4}>
        {endpoint.eventTypes.join(', ')}
      </Caption>
      <EndpointTrouble endpoint={endpoint} />
    </Paper>
  );
}
